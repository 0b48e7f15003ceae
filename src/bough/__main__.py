"""`python -m bough`, for where the command is not on the PATH."""

from bough.fast import main

if __name__ == "__main__":
    main()
