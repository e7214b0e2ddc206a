"""The language server: `hoyle lsp`.

In: rule files as an editor has them. Out: what is wrong as one types, fixes, what words mean, where they are declared
and used, completions, symbols. `index` knows rule files and no protocol; `server` speaks the protocol (extra `lsp`).
"""
