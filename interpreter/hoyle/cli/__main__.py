"""`python -m hoyle.cli`, the same as `hoyle`.

In: arguments. Out: an exit code.
"""

from hoyle.cli import main

if __name__ == "__main__":
    main()
