"""Authoring: what those use who write rule files.

In: rule files and examples. Out: outcomes of tests, reports, rulebooks, drawings, answers to an editor.

Rooms: `testing` runs examples, `trial_matches` and `interval_lints` warn of what an author hardly meant, `fixing`
applies fixes, `formatting` lays files out, `graph` draws them, `coverage` counts what is reached, `why` explains a
position, `rulebook` writes prose, `skeletons` begin new games, `lsp` serves editors, `word_reference` and
`limit_table` write pages.

Internal: programs that use Hoyle import from `hoyle` alone.
"""
