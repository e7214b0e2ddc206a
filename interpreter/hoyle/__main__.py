"""`python -m hoyle`: the command line."""

from hoyle.cli import main

if __name__ == "__main__":
    main()
