"""Renders a table to fit a screen.

In: a table, the lines of its menu, a size. Out: as many lines as fit: the header; a row for each other seat; the shared
zones; the end of the event log; the seat's own cards and its menu.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rich.text import Text

from hoyle.base.dataclass import dataclass
from hoyle.front.terminal.board import draw_board
from hoyle.front.terminal.keys import Line
from hoyle.front.terminal.pen import Pen
from hoyle.play.table.address import Speaker
from hoyle.play.table.model import Player, Table, Zone

GAP = "  "
UNSEEN = "??"  # a face-down card in a zone with marks
TIMES = "\u00d7"  # precedes a number of cards, which could otherwise be taken for a card
_ROW = re.compile(r" *(?:- |\S.*?\S {2,})(?=\S)")  # the first cell of a row and the gap after it, or a dash
_COLUMNS = ("name", "marks", "score", "pot", "count", "zone")
FEWEST_NEWS = 2
FIXED_LINES = 3  # the header, the rule, the prompt
MOST_MENU_LINES = 8
MOST_NAMED = 8  # rows with more cards do not show who played each


@dataclass(frozen=True, slots=True)
class Size:
    width: int
    height: int


def draw_table(
    table: Table, lines: Sequence[Line], notes: Sequence[Text], pen: Pen, speaker: Speaker, size: Size
) -> list[Text]:
    """Render the screen without its prompt. `notes` answer the last input; they follow the event log."""
    drawer = _Drawer(table, pen, speaker, size)
    above, below, room = _lay_out(drawer, lines)
    board = [pen.text(row) for row in draw_board(table.scores, speaker, size.width)]
    if len(board) > room - 2 * FEWEST_NEWS - len(notes):
        board = []
    room -= len(board)
    told = drawer.draw_news(notes, room)
    padding = [Text()] * max(0, room - len(told))
    return [*above, *board, *told, *padding, *below]


def has_room(
    table: Table, lines: Sequence[Line], notes: Sequence[Text], pen: Pen, speaker: Speaker, size: Size
) -> bool:
    """Whether the answer to the last input fits beside the table."""
    drawer = _Drawer(table, pen, speaker, size)
    return len(drawer.fold_notes(notes)) <= max(FEWEST_NEWS, _lay_out(drawer, lines)[2])


def _lay_out(drawer: _Drawer, lines: Sequence[Line]) -> tuple[list[Text], list[Text], int]:
    """The lines above and below the event log, and the height left for it."""
    size = drawer.size
    head = [drawer.draw_head()]
    own = drawer.draw_own()
    menu = drawer.draw_menu(lines)
    others = drawer.draw_others()
    centre = drawer.draw_centre()
    menu = drawer.shorten(menu, _limit_menu(size, len(own), len(others), len(centre)))
    room = size.height - FIXED_LINES - len(own) - len(menu)
    others = drawer.shorten(others, max(1, room - FEWEST_NEWS))
    room -= len(others)
    centre = drawer.shorten(centre, max(0, room - FEWEST_NEWS))
    return [*head, *others, *centre], [drawer.draw_rule(), *own, *menu], room - len(centre)


def measure_menu(table: Table, pen: Pen, speaker: Speaker, size: Size) -> int:
    """Return the maximum number of menu lines for a table."""
    drawer = _Drawer(table, pen, speaker, size)
    return _limit_menu(size, len(drawer.draw_own()), len(drawer.draw_others()), len(drawer.draw_centre()))


def _limit_menu(size: Size, own: int, others: int, centre: int) -> int:
    room = size.height - FIXED_LINES - own
    return max(1, min(MOST_MENU_LINES, room - others - centre - FEWEST_NEWS))


@dataclass(slots=True)
class _Drawer:
    table: Table
    pen: Pen
    speaker: Speaker
    size: Size

    # ---------------------------------------------------------------------------------------------- header
    def draw_head(self) -> Text:
        say = self.speaker.say
        right = self.pen.text(f" {say('press_help')} ")
        room = max(0, self.size.width - len(right))
        title, status = self.table.title, self.table.status
        count = (say("round", round=self.table.round),) if self.table.round else ()
        # If there is no room for all, the status takes precedence.
        wordings = (title, *count, status), (title, status), (status,)
        heads = [self.pen.text(f" {' · '.join(parts)} ") for parts in wordings]
        left = next((head for head in heads if len(head) <= room), heads[-1])
        left.truncate(room, overflow="ellipsis")
        left.append(" " * max(0, self.size.width - len(left) - len(right)))
        left.append_text(right)
        left.stylize("reverse")
        return left

    def draw_rule(self) -> Text:
        return self.pen.text("─" * self.size.width, "dim")

    # ---------------------------------------------------------------------------------------------- seats
    def draw_others(self) -> list[Text]:
        """Draw a row for each other seat, in turn order from the next one."""
        players = self.table.players
        first = 0 if self.table.seat is None else self.table.seat + 1
        around = [players[(first + step) % len(players)] for step in range(len(players))]
        others = [player for player in around if not player.you]
        rows = [self._list_cells(player) for player in others]
        found = dict.fromkeys(name for row in rows for name in row)
        columns = sorted(found, key=lambda name: _COLUMNS.index(name.split(" ")[0]))
        widths = {name: max(len(row.get(name, "")) for row in rows) for name in columns}
        lines = []
        for player, row in zip(others, rows, strict=True):
            line = Text()
            for name in columns:
                cell = row.get(name, Text()).copy()
                cell.append(" " * (widths[name] - len(cell)))
                line.append_text(cell)
                line.append(GAP)
            line.rstrip()
            if player.turn:
                line.stylize("bold")
            lines.append(self._cut(line))
        return lines

    def _list_cells(self, player: Player) -> dict[str, Text]:
        """Draw the visible parts of a seat: its name, marks, score, chips, counts and zones."""
        name = self.pen.text(f" {'>' if player.turn else ' '}{player.name}")
        if player.retired:
            name.stylize("dim")
        cells = {"name": name}
        if player.marks:
            cells["marks"] = self.pen.text(", ".join(player.marks), "cyan")
        cells |= self._list_values(player)
        own = [zone for zone in self.table.zones if zone.owner == player.seat]
        for family in dict.fromkeys(zone.name for zone in own):
            piles = [zone for zone in own if zone.name == family]
            if any(zone.cards for zone in piles):
                cells[f"zone {family}"] = self._draw_family(piles, short=True)
        return cells

    def _list_values(self, player: Player) -> dict[str, Text]:
        """Draw score, chips and counts of a seat; a score equal to its chips is left out."""
        cells = {}
        chips = [pot for pot in self.table.pots if pot.owner == player.seat]
        if self._has_scores() and player.score not in [pot.amount for pot in chips]:
            cells["score"] = self._label(self.speaker.say("score"), str(player.score), "green")
        for pot in chips:
            cells[f"pot {pot.name}"] = self._label(pot.short, str(pot.amount), "yellow")
        for count in player.counts:
            cells[f"count {count.name}"] = self._label(count.label, count.value)
        return cells

    def _has_scores(self) -> bool:
        return bool(self.table.scores.best) or any(player.score for player in self.table.players)

    def _label(self, label: str, value: str, style: str = "") -> Text:
        if not value:
            return self.pen.text(label, style)
        text = self.pen.text(f"{label} ", "dim")
        text.append_text(self.pen.text(value, style))
        return text

    # ---------------------------------------------------------------------------------------------- zones
    def _draw_family(self, piles: Sequence[Zone], *, short: bool) -> Text:
        """Draw a zone, or all piles of a family in a row."""
        name = self.speaker.locale.zone(piles[0].name)
        if not piles[0].pile:
            name = piles[0].short
        line = self.pen.text(f"{name} ", "dim")
        for number, zone in enumerate(piles):
            if number:
                line.append(GAP)
            if zone.pile:
                line.append_text(self.pen.text(f"{zone.pile}:", "dim"))
            line.append_text(self._draw_cards(zone, short=short))
        return line

    def _draw_members(self, zones: Sequence[Zone]) -> list[Text]:
        """Draw the zones of a family, each labelled with its key: columns one below the other, others side by side."""
        cells = []
        wide = max(len(zone.member) for zone in zones)
        for zone in zones:
            cell = self.pen.text(f"{zone.member:{wide}} " if zone.form == "column" else f"{zone.member} ", "dim")
            cells.append(cell.append_text(self._draw_cards(zone, short=False)))
        if zones[0].form == "column":
            return [part for cell in cells for part in self._fold(cell, 2)]
        cells[0] = self.pen.text(f"{zones[0].short}: ", "dim").append_text(cells[0])
        return self._flow(cells)

    def _draw_kept(self, zone: Zone) -> Text:
        line = self.pen.text(f"{zone.label} ", "dim")
        line.append_text(self._draw_cards(zone, short=False))
        return line

    def _draw_cards(self, zone: Zone, *, short: bool) -> Text:
        """Draw the visible cards of a zone: all cards of a row, the top and the size of a pile, the size of a stack."""
        if not zone.cards:
            return self.pen.text(self.speaker.say("empty"), "dim")
        if any(zone.marks):
            return self._draw_marked(zone)
        seen = [card for card in zone.shown if card is not None]
        if zone.form == "pile" and zone.top is not None:
            text = self.pen.card(zone.top)
            if zone.size > 1:
                text.append_text(self.pen.text(f" {TIMES}{zone.size}", "dim"))
            return text
        if not seen:
            return self.pen.text(f"{TIMES}{zone.size}")
        legal = self._mark_legal(zone)
        if zone.laid_by and zone.size <= MOST_NAMED and not short:
            return self._draw_laid(zone, legal)
        text = self.pen.cards(seen, None if legal is None or short else legal)
        hidden = zone.size - len(seen)
        if hidden and zone.shown[0] is None and zone.form == "column":  # the hidden cards are the lowest
            return self.pen.text(f"{TIMES}{hidden} ", "dim").append_text(text)
        if hidden:
            text.append_text(self.pen.text(f" +{TIMES}{hidden}", "dim"))
        return text

    def _draw_marked(self, zone: Zone) -> Text:
        """Draw the cards of a zone by place, each with its marks."""
        text = Text()
        for at, place in enumerate(zone.order):
            card = zone.cards[place]
            text.append(" " if at else "")
            text.append_text(self.pen.card(card) if card is not None else self.pen.text(UNSEEN, "dim"))
            if zone.marks[place]:
                text.append_text(self.pen.text(f"({' '.join(zone.marks[place])})", "yellow"))
        return text

    def _draw_laid(self, zone: Zone, legal: list[bool] | None) -> Text:
        """Draw the cards of a row, each after the name of the player who played it."""
        text = Text()
        for at, place in enumerate(zone.order):
            layer = zone.laid_by[place]
            if at:
                text.append(GAP)
            if layer is not None:
                text.append_text(self.pen.text(f"{self.speaker.who(layer)} ", "dim"))
            text.append_text(self.pen.cards([str(zone.cards[place])], legal and [legal[at]]))
        return text

    def _mark_legal(self, zone: Zone) -> list[bool] | None:
        """Return, in display order, which of the visible cards can be picked; None if the menu has no cards at all."""
        menu = self.table.menu
        picks = [item for item in menu.items if item.kind == "card"] if menu is not None else []
        if not picks:
            return None
        places = {place for item in picks if item.zone == zone.id for place in item.places}
        return [place in places for place in zone.order if zone.cards[place] is not None]

    def draw_centre(self) -> list[Text]:
        """Draw the shared zones: facts, piles and stacks side by side, then chips, then rows and families on lines of
        their own."""
        common = [zone for zone in self.table.zones if zone.owner is None]
        lines: list[Text] = []
        flow: list[Text] = []
        for family in dict.fromkeys(zone.name for zone in common):
            piles = [zone for zone in common if zone.name == family]
            if len(piles) > 1 and all(zone.member for zone in piles):
                lines += self._draw_members(piles)
                continue
            if all(zone.label != zone.short for zone in piles):  # each has an owner, such as a team
                flow += [self._draw_kept(zone) for zone in piles if zone.cards]
                continue
            drawn = self._draw_family(piles, short=False)
            wide = piles[0].form in ("row", "fan") and any(zone.size > 3 for zone in piles)
            if wide or len(piles) > 1:
                lines += self._fold(drawn, 2)
            else:
                flow.append(drawn)
        counts = [self._label(fact.label, fact.value, "bold") for fact in self.table.facts]
        pots = [pot for pot in self.table.pots if not isinstance(pot.owner, int)]
        chips = [self._label(pot.short, str(pot.amount), "yellow") for pot in pots]
        return [*self._flow([*counts, *flow]), *self._flow(chips), *lines]

    def draw_own(self) -> list[Text]:
        """Draw the viewer's seat: name, values and zones, and hands on lines of their own."""
        player = next((each for each in self.table.players if each.you), None)
        if player is None:
            return []
        own = [zone for zone in self.table.zones if zone.owner == player.seat]
        cells = [self.pen.text(self.speaker.who(player.seat), "bold")]
        cells += [self.pen.text(mark, "cyan") for mark in player.marks]
        cells += self._list_values(player).values()
        hands: list[Text] = []
        for family in dict.fromkeys(zone.name for zone in own):
            piles = [zone for zone in own if zone.name == family]
            if piles[0].form == "fan":
                hands += self._fold(self._draw_family(piles, short=False), 2)
            elif any(zone.cards for zone in piles):
                cells.append(self._draw_family(piles, short=False))
        return [*self._flow(cells), *hands]

    # ---------------------------------------------------------------------------------------------- news and menu
    def draw_news(self, notes: Sequence[Text], room: int) -> list[Text]:
        """Draw the end of the event log, then the notes; a line counts earlier sentences that do not fit."""
        noted = self.fold_notes(notes)[: max(room, 0)]
        left = room - len(noted)
        lines = [part for news in self.table.news for part in self._fold(self.pen.news(news), 3)]
        if len(lines) > left > 0:
            hidden = len(lines) - left + 1
            lines = [self.pen.text(f" {self.speaker.say('earlier_news', number=hidden)}", "dim"), *lines[hidden:]]
        return [*lines[: max(left, 0)], *noted]

    def fold_notes(self, notes: Sequence[Text]) -> list[Text]:
        return [part for note in notes for part in self._fold(note, self.size.height)]

    def draw_menu(self, lines: Sequence[Line]) -> list[Text]:
        """Draw the menu in columns, filled top to bottom."""
        cells = []
        for line in lines:
            cell = self.pen.text(f" {line.key} ", "bold cyan")
            cell.append_text(self.pen.text(line.text))
            cells.append(self._cut(cell))
        return arrange(cells, self.size.width)

    # ---------------------------------------------------------------------------------------------- fitting
    def _cut(self, line: Text) -> Text:
        if len(line) > self.size.width:
            line.truncate(self.size.width - 1, overflow="crop")
            line.append_text(self.pen.text("…"))
        return line

    def _fold(self, line: Text, most: int) -> list[Text]:
        """Wrap a line to the width, into at most `most` lines."""
        parts = fold_text(line, self.size.width - 2)
        kept = parts[: max(1, most)]
        if len(parts) > len(kept):
            kept[-1].append_text(self.pen.text(" …"))
        return [self._cut(Text(" ") + part) for part in kept]

    def _flow(self, cells: Sequence[Text]) -> list[Text]:
        """Lay cells out side by side, as many on a line as fit."""
        lines: list[Text] = []
        for cell in cells:
            if lines and len(lines[-1]) + len(GAP) + len(cell) <= self.size.width:
                lines[-1].append(GAP)
                lines[-1].append_text(cell)
            else:
                lines.append(Text(" ") + cell)
        return [self._cut(line) for line in lines]

    def shorten(self, lines: list[Text], most: int) -> list[Text]:
        """Truncate to at most `most` lines; the last one counts those left out."""
        if len(lines) <= most:
            return lines
        if most <= 0:
            return []
        more = self.speaker.say("more_lines", number=len(lines) - most + 1)
        return [*lines[: most - 1], self.pen.text(f" {more}", "dim")]


def fold_text(line: Text, width: int) -> list[Text]:
    """Wrap a text between words; continuation lines align with the second cell of a row if that leaves enough room."""
    parts: list[Text] = []
    row = _ROW.match(line.plain)
    indent = row.end() if row is not None and row.end() <= width // 2 else 2
    rest = line
    while len(rest) > width:
        at = rest.plain.rfind(" ", indent + 1, width + 1)
        at = at if at > 0 else width
        first, rest = rest.divide([at])
        first.rstrip()
        parts.append(first)
        stripped = len(rest) - len(rest.plain.lstrip(" "))
        rest = rest.divide([stripped])[-1] if stripped else rest
        rest = Text(" " * indent) + rest if len(rest) else rest
    return [*parts, rest] if len(rest) or not parts else parts


def arrange(cells: Sequence[Text], width: int) -> list[Text]:
    """Lay cells out in columns that fit the width, filled top to bottom."""
    if not cells:
        return []
    widest = max(map(len, cells))
    columns = max(1, (width + len(GAP)) // (widest + len(GAP)))
    height = -(-len(cells) // columns)
    lines = []
    for row in range(height):
        line = Text()
        for cell in cells[row::height]:
            padded = cell.copy()
            padded.append(" " * (widest - len(cell)) + GAP)
            line.append_text(padded)
        line.rstrip()
        if len(line) > width:
            line.truncate(width, overflow="crop")
        lines.append(line)
    return lines


def join(lines: Iterable[Text]) -> Text:
    return Text("\n").join(lines)
