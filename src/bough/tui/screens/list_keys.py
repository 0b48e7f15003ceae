"""What every list can do: go down and up, to its start and its end."""

from bough.tui.widgets.list_view import ListView


class ListKeys:
    """The keys that move in a list; who has this tells which list is meant."""

    @property
    def list_view(self) -> ListView | None:
        """Give the list that keys move in."""
        return None

    def do_down(self) -> None:
        """Go to the next piece."""
        if self.list_view:
            self.list_view.step(1)

    def do_up(self) -> None:
        """Go to the previous piece."""
        if self.list_view:
            self.list_view.step(-1)

    def do_start(self) -> None:
        """Go to the start."""
        if self.list_view:
            self.list_view.go_to_start()

    def do_end(self) -> None:
        """Go to the end."""
        if self.list_view:
            self.list_view.go_to_end()

    def do_half_down(self) -> None:
        """Go half a page down."""
        if self.list_view:
            self.list_view.page(0.5)

    def do_half_up(self) -> None:
        """Go half a page up."""
        if self.list_view:
            self.list_view.page(-0.5)

    def do_page_down(self) -> None:
        """Go a page down."""
        if self.list_view:
            self.list_view.page(1)

    def do_page_up(self) -> None:
        """Go a page up."""
        if self.list_view:
            self.list_view.page(-1)
