"""What newer Pythons have in their standard library, for the oldest one that bough runs on."""

from typing import TYPE_CHECKING

__all__ = ["override"]

if TYPE_CHECKING:
    from typing_extensions import override
else:

    def override(method: object) -> object:
        """Stand for `typing.override`, which Python 3.11 does not have."""
        return method
