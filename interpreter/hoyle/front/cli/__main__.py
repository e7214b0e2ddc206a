"""`python -m hoyle.front.cli`, the same as `hoyle`.

In: arguments. Out: an exit code.
"""

from hoyle.front.cli import main

if __name__ == "__main__":
    main()
