"""Programs that run natively: C printed from the low form, compiled, loaded and called."""
