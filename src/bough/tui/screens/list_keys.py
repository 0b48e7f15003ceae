"""What every list can do: go down and up, to its start and its end."""

from collections.abc import Callable

from bough.tui.widgets.list_view import ListView


class ListKeys:
    """The keys that move in a list, the one that `find_list` gives when a key is pressed."""

    def __init__(self, find_list: Callable[[], ListView | None]) -> None:
        self._find_list = find_list

    def do_down(self) -> None:
        """Go to the next item."""
        self._step(1)

    def do_up(self) -> None:
        """Go to the previous item."""
        self._step(-1)

    def do_start(self) -> None:
        """Go to the start."""
        if (shown := self._find_list()) is not None:
            shown.go_to_start()

    def do_end(self) -> None:
        """Go to the end."""
        if (shown := self._find_list()) is not None:
            shown.go_to_end()

    def do_half_down(self) -> None:
        """Go half a page down."""
        self._page(0.5)

    def do_half_up(self) -> None:
        """Go half a page up."""
        self._page(-0.5)

    def do_page_down(self) -> None:
        """Go a page down."""
        self._page(1)

    def do_page_up(self) -> None:
        """Go a page up."""
        self._page(-1)

    def _step(self, by: int) -> None:
        if (shown := self._find_list()) is not None:
            shown.step(by)

    def _page(self, part: float) -> None:
        if (shown := self._find_list()) is not None:
            shown.page(part)
