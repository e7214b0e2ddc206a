"""Exit codes that do not wait for anything to be loaded."""

INTERRUPTED = 130
