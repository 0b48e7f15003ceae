"""What is folded and what is open, by key; each kind of thing has its own habit."""


class Folds:
    """Remembers what a person opened and shut; everything else follows its habit."""

    def __init__(self, *, thinking: bool = True) -> None:
        self.thinking = thinking
        self.talk = False
        """Whether only prompts and answers are shown."""
        self.all_open = False
        self.opened: set[str] = set()
        self.closed: set[str] = set()
        self.opened_for_match: set[str] = set()
        """Opened only on the way to a hit, and shut again after it."""

    def is_open(self, key: str, *, habit: bool = False) -> bool:
        """Tell whether something is open."""
        if key in self.closed:
            return False
        return habit or self.all_open or key in self.opened or key in self.opened_for_match

    def is_open_by_hand(self, key: str) -> bool:
        """Tell whether it was opened itself, and not with everything: an agent has its own."""
        return key not in self.closed and (key in self.opened or key in self.opened_for_match)

    def open(self, key: str) -> None:
        """Open something."""
        self.closed.discard(key)
        self.opened.add(key)

    def close(self, key: str) -> None:
        """Fold something."""
        self.opened.discard(key)
        self.opened_for_match.discard(key)
        self.closed.add(key)
