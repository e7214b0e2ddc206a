"""`hoyle lsp`: runs the language server, for editors.

In: Language Server Protocol messages on standard input. Out: responses on standard output.
"""

from __future__ import annotations

import sys

import click

from hoyle.front.cli.failures import Problem


@click.command("lsp", epilog="Example: hoyle lsp (an editor starts it: docs/editor.md)")
def command() -> None:
    """Answer an editor that speaks the Language Server Protocol: what is wrong as one types, fixes, meanings, names.

    It is started by the editor, and speaks on standard input and output.
    """
    try:
        from hoyle.authoring.lsp.server import serve
    except ImportError:
        raise Problem("the language server needs more packages: pip install 'hoyle[lsp]'") from None
    if sys.stdin is not None and sys.stdin.isatty():
        raise Problem("an editor starts this and speaks with it; docs/editor.md tells how to set one up")
    serve()
