"""A session that goes on while somebody reads it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from bough.sample import SampleSession, session


class Growing:
    """Tells a session bit by bit, and appends each bit to its file as a client would."""

    def __init__(
        self, claude: Path, seed: str, turns: int = 30, *, title: str | None = None
    ) -> None:
        start = datetime.now(UTC) - timedelta(minutes=turns + 5)
        self.told: SampleSession = session(seed, start=start, cwd="/home/dev/code/orchard-shop")
        self._turns = 0
        for _ in range(turns):
            self.turn()
        if title is not None:
            self.told.title(title)
        self.path = self.told.write(claude)
        self._written = len(self.told.bytes())

    @property
    def id(self) -> str:
        """Give the id of the session."""
        return self.told.session_id

    def turn(self) -> str:
        """Tell one more turn; give the word that only it has."""
        self._turns += 1
        word = f"turnword{self._turns}x"
        prose = "A sentence that takes some room on the page and says little. " * 4
        self.told.user(f"Prompt {word}: go on with the next part of it.")
        self.told.assistant(f"Answer {word}. {prose}")
        return word

    def now(self) -> SampleSession:
        """Go on at this moment."""
        return self.told.set_clock(datetime.now(UTC))

    def write(self) -> None:
        """Append what was told since."""
        data = self.told.bytes()
        with self.path.open("ab") as file:
            file.write(data[self._written :])
        self._written = len(data)
