"""A host of static files: nothing but the files, and none once it is closed."""

from __future__ import annotations

import functools
import http.server
import threading
from pathlib import Path
from typing import ClassVar


class _Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map: ClassVar = {
        "": "application/octet-stream", ".html": "text/html", ".css": "text/css", ".svg": "image/svg+xml",
        ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm",
    }  # fmt: skip

    def log_message(self, *_: object) -> None:
        pass


class StaticHost:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        handler = functools.partial(_Handler, directory=str(folder))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
