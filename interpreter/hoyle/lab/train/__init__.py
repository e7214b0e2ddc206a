"""Training: matches as arrays, on processors and on a GPU, and self-play that learns from them."""
