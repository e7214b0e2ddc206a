"""The language server: `hoyle lsp`.

In: rule files as open in an editor. Out: diagnostics, quick fixes, hovers, definitions, references, completions,
symbols. `index` analyses rule files, independent of the protocol; `server` implements the protocol (extra `lsp`).
"""
