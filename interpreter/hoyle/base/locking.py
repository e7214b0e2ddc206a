"""A lock on an open file, so that two programs never write one match.

In: an open file. Out: whether it is ours from now on. The lock ends with the file or with the process, however that
ends, so that none is left behind.
"""

from __future__ import annotations

from typing import IO, Any

FAR = 1 << 40  # the byte locked on Windows: beyond all content, because nobody else can read a locked byte there


def lock(file: IO[Any]) -> bool:
    """Lock a file that is open for writing; false if somebody else holds it, also in this process."""
    try:
        import fcntl
    except ImportError:
        return _lock_on_windows(file)
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # a file system without locks
    return True


def _lock_on_windows(file: IO[Any]) -> bool:
    import msvcrt

    system: Any = msvcrt  # its functions are declared on Windows alone
    before = file.tell()
    try:
        file.seek(FAR)
        system.locking(file.fileno(), system.LK_NBLCK, 1)
    except OSError:
        return False
    finally:
        file.seek(before)
    return True
