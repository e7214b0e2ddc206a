"""Diagnostics as values: codes, the report that collects them, and renderers."""
