"""Codes of the document layer: reading a file, schema validation, merging of files.

In: nothing. Out: `DOCUMENT_CODES`, merged into `CODES`. The examples are parts of game files; a test runs them.
"""

from __future__ import annotations

from hoyle.base.diagnostics.code import Code, declare

_READING = (
    declare("unreadable-file", """The file does not exist, is a folder, or may not be read. Nothing else can be said
        about it until it can be opened. `hoyle list` names the games that are shipped."""),
    declare("file-too-large", """A rule file may hold one megabyte, several times what the longest game needs. A larger
        one is most likely another kind of file."""),
    declare("newer-language", """A file may say which version of the rule language it is written in. Today there is one,
        so `hoyle: 1` can be left out. A file of a later version is read by a later Hoyle: here its words might mean
        something else, so nothing else is said about it.""",
        wrong="hoyle: 2\n", right="hoyle: 1\n"),
    declare("not-utf8", """Rule files are text in UTF-8. This one holds bytes that are not, most likely because it was
        saved in an older encoding. Save it again as UTF-8."""),
    declare("control-character", """The file holds a character that cannot be seen and has no meaning in a rule file: a
        NUL, a bell, a mark that reverses the direction of writing, an unusual line end. Such characters hide what a
        file says. Delete it.""",
        wrong="title: Tiny\x07\n", right="title: Tiny\n"),
    declare("tab-indentation", """A line is indented with a tab. YAML measures indentation in spaces, and editors
        disagree about how wide a tab is. Indent with two spaces for each level.""",
        wrong="zones:\n\tpack: {shows: nothing}\n", right="zones:\n  pack: {shows: nothing}\n"),
    declare("yaml-syntax", """The file is not YAML from this place on, so nothing after it was read. Most often a text
        holds a colon followed by a space, a quote is not closed, or a line is indented by one space too many or too
        few. A text with signs of YAML in it is put in quotes or written as a `|` block.""",
        wrong="text: Two kinds: high and low.\n", right='text: "Two kinds: high and low."\n'),
    declare("empty-file", """The file holds nothing, or only comments. A game begins with its name: `game: my-game`.""",
        wrong="# nothing yet\n", right="game: my-game\n"),
    declare("not-a-mapping", """A rule file is a list of sections, each with a name and a colon: `game:`, `players:`,
        `deck:` and so on. This one is a single value or a list of values.""",
        wrong="- game\n- title\n", right="game: my-game\ntitle: My game\n"),
    declare("several-documents", """A line `---` begins a second document in the same file. One file holds one game;
        put the second one in a file of its own.""",
        wrong="game: first\n---\ngame: second\n", right="game: first\n"),
    declare("too-deep", """Values are nested more than fifty deep. No game needs that. Look for brackets or braces that
        are opened again and again and never closed.""",
        wrong="labels: " + "[" * 60 + "]" * 60 + "\n", right="labels: {fr: {zones: {hand: main}}}\n"),
    declare("too-many-values", """The file holds more than fifty thousand values, many times what the longest game
        needs. Split it, or look for what was written out by mistake."""),
    declare("number-too-large", """A number has more than eighteen digits. Scores and limits stay far below that; what
        is not a number is put in quotes.""",
        wrong="options:\n  limit: {default: 99999999999999999999999, range: 1..9}\n",
        right="options:\n  limit: {default: 9, range: 1..9}\n"),
    declare("duplicate-key", """The same name stands twice in one mapping, so that one of the two would be lost. Give
        one of them another name, or put both contents under one.""",
        wrong="zones:\n  pack: {shows: nothing}\n  pack: {shows: all}\n",
        right="zones:\n  pack: {shows: nothing}\n  stock: {shows: all}\n"),
    declare("yaml-alias", """An anchor (`&name`) or alias (`*name`) of YAML was used. Rule files do without them: they
        are hard to follow, and every clause must have one place. Write the value out, or give it a name under
        `definitions:`. A text that begins with `&` or `*` is put in quotes.""",
        wrong="zones:\n  pack: &closed {shows: nothing}\n  stock: *closed\n",
        right="zones:\n  pack: {shows: nothing}\n  stock: {shows: nothing}\n"),
    declare("yaml-tag", """A tag of YAML (`!name` or `!!name`) was used. Rule files do without them: what kind of value
        something is follows from where it stands. A text that begins with `!` is put in quotes.""",
        wrong="title: !!str Tiny\n", right="title: Tiny\n"),
    declare("merge-key", """The merge key of YAML (`<<`) was used. Rule files are put together by name instead: a
        variant names its parent with `extends:`, a game names modules with `use:`.""",
        wrong="zones:\n  <<: {pack: {shows: nothing}}\n", right="use: [cut]\n"),
    declare("key-not-text", """A name before a colon must be a plain text on one line. Here a list or a mapping stands
        in its place, most likely because of a `?`, a bracket or a brace.""",
        wrong="zones:\n  [pack, stock]: {shows: nothing}\n",
        right="zones:\n  pack: {shows: nothing}\n  stock: {shows: nothing}\n"),
    declare("flow-split", """Inside `{ }` a comma ends a value. What was meant as one text became a value and a stray
        name without a value. Put the text in quotes, or write the clause in block style, each part on its own
        line.""",
        wrong="zones:\n  pack: {shows: nothing, text: First the ones, then the pile.}\n",
        right='zones:\n  pack: {shows: nothing, text: "First the ones, then the pile."}\n'),
)

_SHAPE = (
    declare("unknown-key", """A name stands here that has no meaning in this place. It is misspelt, belongs to another
        section, or is indented too far or too little. The message names what may stand here.""",
        wrong="zones:\n  pack: {show: nothing}\n", right="zones:\n  pack: {shows: nothing}\n"),
    declare("missing-key", """Something that must be said is not said: a game without a deck, an option without a
        default, a tier that offers nothing. In a variant it may also be a misspelt name: what was meant to change an
        existing entry has become a new, incomplete one.""",
        wrong="options:\n  limit: {range: 1..9}\n", right="options:\n  limit: {default: 5, range: 1..9}\n"),
    declare("wrong-kind", """The value is of another kind than belongs here: a list where a text is wanted, a text where
        entries with names are wanted, and so on. The message says which kinds may stand here.""",
        wrong="zones: pack and hand\n", right="zones:\n  pack: {shows: nothing}\n"),
    declare("bad-value", """The value is of the right kind but not one that is allowed here: a name with signs that
        names may not have, a range that is not written `low..high`, a number below its least. The message
        says how it is written.""",
        wrong="players: two to eight\n", right="players: 2..8\n"),
    declare("empty-value", """A name stands before a colon and nothing behind it. Say what it is, or delete the line. A
        value that means nothing is written `none`.""",
        wrong="zones:\n  pack:\n", right="zones:\n  pack: {shows: nothing}\n"),
    declare("conflicting-keys", """Two entries of one clause say the same thing in two ways, and only one of them could
        hold: a definition is given by `is`, by `cases`, by `any` or by `all`. Keep one.""",
        wrong="definitions:\n  limit: {is: 5, cases: {only: {value: 6}}}\n", right="definitions:\n  limit: 5\n"),
)

_MERGING = (
    declare("unknown-parent", """The game that `extends:` names was not found. A parent is a shipped game, or a file in
        the same folder as the variant; its name is written without folders.""",
        wrong="game: my-variant\nextends: nowhere\n", right="game: my-variant\nextends: my-game\n"),
    declare("parent-outside", """`extends:` names a path, or a file it names is a link to another folder. A rule file
        may only name what is shipped or lies in its own folder, so that it cannot reach anything else.""",
        wrong="game: my-variant\nextends: ../other/other.game.yaml\n", right="game: my-variant\nextends: other\n"),
    declare("extends-ring", """A game extends itself, or a chain of variants comes back to where it began, so that
        nobody knows where the rules come from. One of the files must stand on its own.""",
        wrong="game: my-game\nextends: my-game\n", right="game: my-variant\nextends: my-game\n"),
    declare("chain-too-long", """More than twenty variants extend one another, or more than fifty files are put
        together. Let the last one extend one of the first, and say what differs in one file."""),
    declare("not-a-game", """A module was given where a game is wanted, or a game where a module is wanted. A game is
        named by `game:` and stands on its own or extends another; a module is named by `module:` and is brought in
        with `use:`.""",
        wrong="module: my-module\n", right="game: my-game\n"),
    declare("unknown-module", """`use:` names a module that does not exist. Modules are shipped with the interpreter;
        the message names those there are.""",
        wrong="use: [cuts]\n", right="use: [cut]\n"),
    declare("unknown-argument", """`with:` gives a value for something the module does not ask for. The message names
        the arguments the module has.""",
        wrong="use:\n  - {module: cut, with: {deck: pack}}\n", right="use:\n  - {module: cut, with: {pack: pack}}\n"),
    declare("missing-argument", """The module works on something the game has to provide. The game neither has it under
        that name nor says with `with:` what else to take.""",
        wrong="use:\n  - {module: cut, with: {pack: stack}}\nzones:\n  stock: {shows: nothing}\n",
        right="use:\n  - {module: cut, with: {pack: stock}}\nzones:\n  stock: {shows: nothing}\n"),
    declare("unknown-option", """A bare value sets an option that exists already, in the parent or in a module. There is
        none of this name. A new option is a mapping with a default: `{default: 5, range: 1..9}`.""",
        wrong="options:\n  limit: 5\n", right="options:\n  limit: {default: 5, range: 1..9}\n"),
    declare("remove-missing", """`remove:` names something that neither the parent nor a module has, so there is nothing
        to take out. It is misspelt, or the parent has changed.""",
        wrong="use: [cut]\nremove: [zones.cut_cards]\n", right="use: [cut]\nremove: [zones.cut_card]\n"),
    declare("place-missing", """`after:` or `before:` names a neighbour that does not stand in the same mapping. The
        entry would have no place of its own.""",
        wrong="zones:\n  stock: {shows: nothing, after: packs}\n  pack: {shows: nothing}\n",
        right="zones:\n  stock: {shows: nothing, after: pack}\n  pack: {shows: nothing}\n"),
)

DOCUMENT_CODES: tuple[Code, ...] = (*_READING, *_SHAPE, *_MERGING)
