"""Codes of variants: errors in references to parents and modules, and conflicts in merging.

In: nothing. Out: `VARIANT_CODES`, merged into `CODES`. The examples are parts of game files; a test runs them.
"""

from __future__ import annotations

from hoyle.base.diagnostics.code import Code, declare

VARIANT_CODES: tuple[Code, ...] = (
    declare("not-in-parent", """In a variant a name without a mark changes what the parent has under that name. There
        is nothing of this name in this place: it is misspelt, or the parent has changed. What a variant brings in
        says so: `new low: …`.""",
        wrong="game: my-variant\nextends: my-game\ndefinitions:\n  duoble: 3\n",
        right="game: my-variant\nextends: my-game\ndefinitions:\n  double: 3\n"),
    declare("not-new", """`new` stands before a name that the parent has already. Without `new` the entry is changed;
        with `replace` another one is put in its place.""",
        wrong="game: my-variant\nextends: my-game\ndefinitions:\n  new double: 3\n",
        right="game: my-variant\nextends: my-game\ndefinitions:\n  double: 3\n"),
    declare("would-drop", """What the variant says here would take the place of things with names: conditions, cases,
        the rows of a deck. Nothing with a name is lost unless the file says so. Give the new one a name of its own,
        and it joins the others (`new low: …`); change one by its name; or write `replace` before the name.""",
        wrong="game: my-variant\nextends: my-game\nactions:\n  play:\n    allowed: pile is empty\n",
        right="game: my-variant\nextends: my-game\nactions:\n  play:\n    allowed: {new first: pile is empty}\n"),
    declare("mark-without-parent", """`new` and `replace` tell, in a variant, what is new from what is changed. In a
        game that extends nothing and uses nothing they say nothing. Leave them out.""",
        wrong="definitions: {new double: 2}\n", right="definitions: {double: 2}\n"),
    declare("bad-edit", """A list in the place of statements changes those of the parent. Each of its items says one
        thing: `before`, `after` or `replace` with a statement and `do`, `remove` with a statement, `first` or
        `last` with what is done.""",
        wrong="game: my-variant\nextends: my-game\nsteps:\n  round:\n    - {after: shuffle pack}\n",
        right="game: my-variant\nextends: my-game\nsteps:\n  round:\n    - {after: shuffle pack, do: cut pack}\n"),
    declare("edit-nothing", """A list in the place of statements changes those of the parent, and here the parent has
        none: the step is new, or it has cases. Write what is done as a text, or change one of the cases.""",
        wrong="game: my-variant\nextends: my-game\nsteps:\n  new tidy:\n    - {first: shuffle pack}\n",
        right="game: my-variant\nextends: my-game\nsteps:\n  new tidy: shuffle pack\n"),
    declare("two-games", """The parents of a variant go back to different games. Only variants of one game can be put
        together.""",
        wrong="game: my-variant\nextends: [my-game, other]\n", right="game: my-variant\nextends: [my-game]\n"),
    declare("parents-disagree", """Two parents of a variant, or two of its house rules, change the same thing in
        different ways, and neither knows of the other. The variant says which is meant by saying it itself."""),
    declare("module-clash", """A module brings a name that is there already. Give the copy of the module a name of its
        own: `{module: auction, as: sale}`; all its names then begin with `sale.`."""),
    declare("module-elsewhere", """The module says with `extends:` that it holds house rules for a game. It can be used
        in variants of that game, once, and nowhere else."""),
    declare("keep-missing", """`keep:` names a clause of the parent, or a rule by its number, that the variant leaves
        as it is. There is nothing of this name."""),
    declare("same-as-parent", """The variant says what the parent says already. That changes nothing today, and
        tomorrow it would hide a change of the parent. Leave it out.""", severity="warning"),
    declare("listed-twice", """A module under `use:`, or a parent under `extends:`, is named a second time in the same
        file, and that changes nothing. If a second copy of a module is wanted, it has a name of its own:
        `{module: auction, as: sale}`.""",
        severity="warning"),
    declare("repeats-parent", """Most of these statements are those of the parent, written out again. If the parent
        changes, the copy does not. A list of changes in their place says only what differs.""", severity="warning"),
    declare("stale-text", """The variant changes a rule and leaves its sentence, or the wording of a rule it cites, as
        it was. Players read it in refusals. Give it a new one; if it holds, `keep:` says so.""", severity="warning"),
    declare("untranslated", """The variant has labels for a language and gives a clause a new sentence. The old
        sentence was translated into that language, the new one is not. In a language for which a variant has no labels,
        its own sentences stay as they are written.""", severity="warning"),
    declare("now-unused", """The variant leaves something of its parent without use: an action that nothing offers any
        more, an option nothing asks for, a rule that nothing cites. Remove it as well; `keep:` says that it is
        meant to stay.""", severity="warning"),
    declare("missing-title", """A variant without a title is shown under that of its parent, and nobody can tell the
        two apart.""", severity="warning"),
    declare("other-file-name", """The file is not called like the game, so that `extends:`, `hoyle test` and people
        look for it in vain.""", severity="warning"),
    declare("variant-breaks", """A variant that lies beside the file extends it and can no longer be read, though the
        file itself checks: something it names may have been renamed or removed. Check the variant to see what.""",
        severity="warning"),
    declare("parent-elsewhere", """`extends:` has found a shipped game, though a file of that name lies near, where it
        is not looked for. A parent lies in the same folder as the variant.""", severity="warning"),
)
