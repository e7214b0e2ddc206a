"""Language: from the text of a rule file to a checked program.

In: rule files. Out: a `hoyle.program.ir.Program`, or diagnostics with verified fixes.

Rooms in the order in which data passes them: `document` (text to YAML nodes, schemas, merging), `syntax` (rule texts
to trees; near misses), `declare` (nodes to declarations), `elaborate` (names and types), `irgen` (statements to
blocks), `analyse` (secrets, flow, lints), `specialise` (a number of players and options), `compile` (all of them in
order), `fix_verification` and `attribution` (what is told, and where), `library` (compiled programs and their reuse).
Beside them `variants`, `family`, `queries`, `game_index`, and `prelude`, the modules written in the language itself.

Internal: programs that use Hoyle import from `hoyle` alone.
"""
