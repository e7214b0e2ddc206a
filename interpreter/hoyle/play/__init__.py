"""Play: from a program to matches.

In: a program, seeds, choices. Out: matches, what each seat may know of them, and the table as it sees it.

Rooms: `codegen` lowers a program and prints it as Python, C and CUDA; `engine` has the reference executor, those that
run printed code, and the API over them; `view` says what a seat sees and is told; `beliefs` what it can conclude, and
samples what it cannot see; `transcript` records a match; `table` is what terminal and browser draw.

Internal: programs that use Hoyle import from `hoyle` alone.
"""
