"""Tables that somebody else keeps, such as a browser: each is one record, told whenever it has changed.

In: the changes of a store, records. Out: records of what has changed; the same tables from records.
"""

from __future__ import annotations

import json
from dataclasses import MISSING, fields
from typing import Any

from hoyle.front.web.store import Setup, Store

MOST_CHOICES = 20_000
LONGEST_TEXT = 4_000
_OF = {"seats": ("seat", "player", "name"), "keys": ("key", "role", "seat"),
       "choices": ("number", "choice", "seat", "asked")}  # fmt: skip
_KINDS: dict[str, tuple[type, ...]] = {
    "seat": (int, type(None)), "player": (str,), "name": (str,), "key": (str,), "role": (str,), "number": (int,),
    "choice": (str,), "asked": (int,),
}  # fmt: skip
_WRITTEN = {"str": str, "int": int, "bool": bool, "dict": dict, "tuple": list}  # what a type becomes as JSON
SETUP = {each.name: _WRITTEN[str(each.type).partition("[")[0]] for each in fields(Setup)}
_NEEDED = {each.name for each in fields(Setup) if each.default is MISSING and each.default_factory is MISSING}
_ROLES = ("seat", "invitation", "watch", "replay")


class KeptTables(Store):
    """A store that knows which tables have changed: triggers note them, whoever writes."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.db.execute("create temp table changed (id text primary key) without rowid")
        for name, column in (("tables", "id"), *((name, '"table"') for name in _OF)):
            for event, row in (("insert", "new"), ("update", "new"), ("delete", "old")):
                self.db.execute(
                    f"create temp trigger {name}_{event} after {event} on {name} "
                    f"begin insert or ignore into changed values ({row}.{column}); end"
                )

    def take_changes(self) -> list[tuple[str, dict[str, Any] | None]]:
        """The tables changed since the last call, each with its record, or None if it is gone."""
        names = [row[0] for row in self.db.execute("select id from changed")]
        self.db.execute("delete from changed")
        return [(name, self.find_record(name)) for name in names]

    def find_record(self, table: str) -> dict[str, Any] | None:
        row = self.db.execute("select setup, made, used, over from tables where id = ?", (table,)).fetchone()
        if row is None:
            return None
        record = {"setup": json.loads(row[0]), "made": row[1], "used": row[2], "over": row[3]}
        for name, columns in _OF.items():
            query = f'select {", ".join(columns)} from {name} where "table" = ? order by 1'
            record[name] = [list(each) for each in self.db.execute(query, (table,))]
        return record

    def list_records(self) -> list[tuple[str, dict[str, Any]]]:
        names = [row[0] for row in self.db.execute("select id from tables order by used")]
        return [(name, record) for name in names if (record := self.find_record(name)) is not None]

    def put_record(self, table: str, record: dict[str, Any]) -> None:
        """Write a table that `read_record` has found well formed, in place of one of that name."""
        with self._writing():
            self.db.execute("delete from tables where id = ?", (table,))
            row = (table, json.dumps(record["setup"]), record["made"], record["used"], record["over"])
            self.db.execute("insert into tables values (?, ?, ?, ?, ?)", row)
            for name, columns in _OF.items():
                self.db.execute(f'delete from {name} where "table" = ?', (table,))
                listed = ", ".join(columns)
                marks = ", ".join("?" * len(columns))
                query = f'insert or ignore into {name} ("table", {listed}) values (?, {marks})'
                self.db.executemany(query, [(table, *each) for each in record[name]])


def read_record(data: object) -> dict[str, Any] | None:
    """A record from outside, such as a file of a stranger's; None if it is not well formed. What it says of a match is
    believed only as far as the rules allow it when the match is played again."""
    if not isinstance(data, dict) or set(data) != {"setup", "made", "used", "over", *_OF}:
        return None
    if not all(isinstance(data[name], int | float) for name in ("made", "used", "over")):
        return None
    if not _is_setup(data["setup"]) or any(not isinstance(data[name], list) for name in _OF):
        return None
    if any(len(data[name]) > MOST_CHOICES for name in _OF):
        return None
    rows = [(columns, row) for name, columns in _OF.items() for row in data[name]]
    if not all(isinstance(row, list) and len(row) == len(columns) for columns, row in rows):
        return None
    cells = [(column, value) for columns, row in rows for column, value in zip(columns, row, strict=True)]
    fits = all(isinstance(value, _KINDS[column]) and len(str(value)) <= LONGEST_TEXT for column, value in cells)
    return data if fits and all(row[1] in _ROLES for row in data["keys"]) else None


def _is_setup(setup: object) -> bool:
    if not isinstance(setup, dict) or not _NEEDED <= set(setup) <= set(SETUP):
        return False
    begun = setup.get("begun", [])
    return (
        all(type(value) is SETUP[name] for name, value in setup.items())
        and len(begun) <= MOST_CHOICES
        and all(len(json.dumps(setup.get(name))) <= LONGEST_TEXT for name in ("options", "rules"))
        and all(isinstance(each, str) and len(each) <= LONGEST_TEXT for each in begun)
    )
