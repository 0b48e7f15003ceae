"""Install the clients that the tests need; the only step that needs the network."""

import sys

from tests.client.laboratory import VERSIONS, lab


def main() -> None:
    for version in sys.argv[1:] or VERSIONS:
        lab().install(version)
        sys.stdout.write(f"{version} is there\n")


if __name__ == "__main__":
    main()
