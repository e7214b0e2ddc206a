"""`python -m hoyle`: the command line."""

from hoyle.command import main

if __name__ == "__main__":
    main()
