"""`override`, which Python 3.11 does not have; type checkers see the real one."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import override
else:

    def override(method: object) -> object:
        """Stand in for `typing.override`."""
        return method


__all__ = ["override"]
