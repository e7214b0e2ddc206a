"""Labels: how a game is shown to players, in its own language and in others.

In: the section `labels:` and a world. Out: `Labels` for each language; names the game does not have are reported.
"""

from __future__ import annotations

from collections.abc import Iterable

from hoyle.check.declarations import AttributeDecl, Declarations, LabelsDecl
from hoyle.check.reader import Reader
from hoyle.check.world import World
from hoyle.diagnostics.report import did_you_mean
from hoyle.document.nodes import Mapping, Node, Scalar
from hoyle.ir import nodes as ir
from hoyle.source import Span

Said = dict[str, tuple[str, Span]]
PLAIN = ("actions", "zones", "states", "values", "cards", "messages")


def read_labels(reader: Reader, root: Mapping, declared: Declarations) -> None:
    """The language the file is written in, and its labels in every language."""
    language = root.get("language")
    if isinstance(language, Scalar):
        declared.language = language.text
    languages = root.get("labels")
    for entry in languages.entries if isinstance(languages, Mapping) else ():
        if not isinstance(entry.value, Mapping):
            continue
        title = entry.value.get("title")
        declared.labels[entry.key.text] = LabelsDecl(
            title.text if isinstance(title, Scalar) else "",
            {section: _read_said(entry.value.get(section)) for section in PLAIN},
            _read_nested(entry.value.get("codes")),
            _read_options(entry.value.get("options")),
        )


def _read_said(node: Node | None) -> Said:
    entries = node.entries if isinstance(node, Mapping) else ()
    return {e.key.text: (e.value.text, e.key.span) for e in entries if isinstance(e.value, Scalar)}


def _read_nested(node: Node | None) -> dict[str, tuple[Said, Span]]:
    entries = node.entries if isinstance(node, Mapping) else ()
    return {entry.key.text: (_read_said(entry.value), entry.key.span) for entry in entries}


def _read_options(node: Node | None) -> dict[str, tuple[Said, Span]]:
    """For each option its sentence, as `text`, and those of its values."""
    found = _read_nested(node)
    for name, (text, span) in _read_said(node).items():
        found[name] = ({"text": (text, span)}, span)
    return found


def build_labels(world: World) -> tuple[ir.Labels, ...]:
    """The labels of every language, checked against what the game has."""
    return tuple(_build(world, language, decl) for language, decl in world.declared.labels.items())


def _build(world: World, language: str, decl: LabelsDecl) -> ir.Labels:
    known: dict[str, Iterable[str]] = {
        "actions": world.actions,
        "zones": world.zones,
        "states": world.states,
        "values": world.values,
        "cards": (*world.card_names, *world.card_codes),
    }
    for section, names in known.items():
        for name, (_, span) in decl.said[section].items():
            _check(world, name, names, section, span)
    for name, (said, span) in decl.options.items():
        option = world.declared.options.get(name)
        _check(world, name, world.declared.options, "options", span)
        for value, (_, at) in said.items() if option is not None else ():
            if value != "text" and option is not None:
                _check(world, value, option.values, f"values of `{name}`", at)

    def plain(section: str) -> dict[str, str]:
        return {name: text for name, (text, _) in decl.said[section].items()}

    return ir.Labels(
        language=language,
        title=decl.title,
        cards=_write_cards(world, decl),
        actions=plain("actions"),
        zones=plain("zones"),
        states=plain("states"),
        values=plain("values"),
        messages=plain("messages"),
    )


def _check(world: World, name: str, known: Iterable[str], what: str, span: Span) -> None:
    """Report a label of something that is not there; what a variant takes out may still have a label in its parent."""
    home = world.declared.line.span.source if world.declared.line else None
    names = list(known)
    if name not in names and span.source is home:
        listed = ", ".join(f"`{one}`" for one in names[:12])
        world.report.error(
            "unknown-label",
            f"there is no `{name}` among the {what} that could have a label",
            span,
            hint=did_you_mean(name, names) or ((f"there are {listed}",) if names else ()),
        )


def _write_cards(world: World, decl: LabelsDecl) -> tuple[str, ...]:
    """How each card is written: by its own label, or put together from the short forms of what is printed on it."""
    deck = world.declared.deck
    assert deck is not None
    shorts = {attribute.name: _short_forms(world, attribute, decl) for attribute in deck.attributes}
    for name, (_, span) in decl.codes.items():
        _check(world, name, shorts, "attributes", span)
    own = decl.said["cards"]
    written = []
    for number, card in enumerate(world.cards):
        label = own.get(card.name) or own.get(card.code)
        if label is not None or card.name:
            written.append(label[0] if label else card.code)
            continue
        parts = []
        for attribute, printed in zip(deck.attributes, world.attribute_list, strict=True):
            value = printed.table[number]
            if value is not None:
                parts.append(shorts[attribute.name][value])
        written.append("".join(parts))
    return tuple(written)


def _short_forms(world: World, attribute: AttributeDecl, decl: LabelsDecl) -> dict[int, str]:
    """The short form of every value of an attribute in the language; it is named by its short form or its name."""
    said, _ = decl.codes.get(attribute.name, ({}, None))
    if attribute.values is not None:
        names = dict(enumerate(attribute.values))
        own = {index: attribute.shorts.get(name, name) for index, name in names.items()}
    else:
        names = {value: str(value) for value in range(attribute.low, attribute.high + 1)}
        own = {value: attribute.shorts.get(name, name) for value, name in names.items()}
    for name, (_, span) in said.items():
        _check(world, name, (*own.values(), *names.values()), f"values of `{attribute.name}`", span)
    return {value: said.get(names[value], said.get(own[value], (own[value], None)))[0] for value in names}
