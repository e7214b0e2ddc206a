"""The terminal interface: rendering to the screen size, input parsing, and saved matches."""
