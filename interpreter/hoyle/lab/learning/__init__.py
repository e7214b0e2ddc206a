"""What can be learnt of a game: observations as numbers, policies and their files, solutions of small games."""
