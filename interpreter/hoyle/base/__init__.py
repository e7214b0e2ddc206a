"""Base: what every other wing stands on, and what knows nothing of games.

In: files, environment variables. Out: texts with spans, diagnostics, counted work, the cache on disk.

Rooms: `source` reads texts, `effort` counts work, `diagnostics` collects and renders messages, `shipped` finds the
games and schemas of this installation, `cache` keeps results on disk, `columns` fits tables, `dataclass` defines
frozen classes.

Internal: programs that use Hoyle import from `hoyle` alone.
"""
