"""`python -m hoyle`: the command line."""

from hoyle.front.command import main

if __name__ == "__main__":
    main()
