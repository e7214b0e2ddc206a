"""Native execution: C printed from the low form, compiled ahead of time, cached, loaded and called."""
