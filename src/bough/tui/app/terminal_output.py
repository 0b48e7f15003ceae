"""What the app writes to a terminal that may be closed under it.

Textual writes in a thread, from a queue of thirty. A closed terminal ends that thread at its next
write, and on Linux comes with a SIGCONT, at which Textual sets the terminal up again: the queue
fills, and the app would wait for ever instead of ending. So a write that fails is dropped.
"""

from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.driver import Driver


class TerminalOutput:
    """A file of the terminal that takes words also when nobody is there to read them."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, text: str) -> int:
        """Write where somebody reads."""
        try:
            return self._file.write(text)
        except OSError:
            return len(text)

    def flush(self) -> None:
        """Let what was written go out where somebody reads."""
        try:
            self._file.flush()
        except OSError:
            return

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


class _OutputMixin:
    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        file = getattr(self, "_file", None)
        if file is not None:  # else it writes to no terminal: `textual serve` has it in a browser
            self._file = TerminalOutput(file)


def outlive_terminal(driver: "type[Driver]") -> "type[Driver]":
    """Give a driver of Textual that comes to its end also where its terminal is closed."""
    return type(driver.__name__, (_OutputMixin, driver), {})
