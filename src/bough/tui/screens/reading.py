"""What a reader can do in a conversation: fold, find, follow, copy, open elsewhere."""

import os
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path

from textual.widgets import Input

from bough.model.turns import Turn
from bough.tui.folds import Folds
from bough.tui.looks import one_line, text_of
from bough.tui.overriding import override
from bough.tui.place import Place
from bough.tui.reel import Reel
from bough.tui.telling import About, Spot, Telling

_FOLDING = frozenset({"thought", "tool", "steps", "agent", "seam", "note", "prompt", "text"})


class Reading(Place):
    """A screen with a conversation in it."""

    path: str
    telling: Telling | None
    folds: Folds
    spots: Sequence[Spot]
    spot: int
    new: int
    reader: Reel

    def __init__(self) -> None:
        super().__init__()
        self.reader = Reel(id="list")
        self.telling = None
        self.folds = Folds()
        self.spots = ()
        self.spot = -1
        self.new = 0

    def draw(self, *, first: bool = False) -> None:
        """Show the conversation as it is folded now."""
        raise NotImplementedError

    # -- folds --------------------------------------------------------------------------------

    def do_toggle(self) -> None:
        """Fold or unfold what is under the cursor."""
        picked = self.reader.picked
        if picked is not None and picked.kind in _FOLDING:
            self._fold(picked.key, open_it=not self._is_open(picked.key, picked.kind))

    def do_unfold(self) -> None:
        """Open what is under the cursor in place."""
        picked = self.reader.picked
        if picked is not None and picked.kind in _FOLDING:
            self._fold(picked.key, open_it=True)
        elif picked is not None and picked.kind == "twig":
            self.do_open()

    def do_fold(self) -> None:
        """Fold what is under the cursor; where nothing is open, go to what holds it."""
        picked = self.reader.picked
        if picked is None:
            return
        if self._is_open(picked.key, picked.kind):
            self._fold(picked.key, open_it=False)
            return
        for at in range(self.reader.cursor - 1, -1, -1):
            before = self.reader.pieces[at]
            if before.kind == ("steps" if picked.kind == "tool" else "prompt"):
                self.reader.to(at, top=False)
                return

    def do_open(self) -> None:
        """Open what is under the cursor; the screen knows how."""

    def _is_open(self, key: str, kind: str) -> bool:
        if kind == "steps":
            at = self.reader.number_of(key)
            following = self.reader.pieces[at + 1 : at + 2] if at is not None else ()
            return any(piece.kind == "tool" for piece in following)
        return self.folds.is_open(key)

    def _fold(self, key: str, *, open_it: bool) -> None:
        (self.folds.open if open_it else self.folds.close)(key)
        self.reader.follow = False
        if self.telling is not None:
            self.telling.renew(key)
            self.draw()

    def do_unfold_turn(self) -> None:
        """Unfold everything in the turn under the cursor, or fold it again."""
        picked = self.reader.picked
        about = picked.about if picked is not None else None
        if not isinstance(about, About) or about.turn is None or self.telling is None:
            return
        start = self.telling.key_of(about.turn)
        number = len(about.turn.blocks)
        keys = [
            start,
            *(f"{start}:{n}" for n in range(number)),
            *(f"{start}:{n}+" for n in range(number)),
        ]
        opening = not all(self.folds.is_open(key) for key in keys)
        for key in keys:
            (self.folds.open if opening else self.folds.close)(key)
        if not opening:
            self.folds.shut -= set(keys)
        self.telling.renew(start)
        self.draw()

    def do_unfold_all(self) -> None:
        """Unfold everything, or fold it again."""
        self.folds.everything = not self.folds.everything
        if self.telling is not None:
            self.telling.renew()
            self.draw()

    def do_thinking(self) -> None:
        """Show or hide what was thought."""
        self.folds.thinking = not self.folds.thinking
        self.bough.kept.thinking = self.folds.thinking
        if self.telling is not None:
            self.telling.renew()
            self.draw()
        self.bough.tell("Thinking is shown." if self.folds.thinking else "Thinking is hidden.")

    def do_wrap(self) -> None:
        """Wrap long lines, or cut them."""
        self.bough.kept.wrap = not self.bough.kept.wrap
        self.reader.set_wrapped(wrapped=self.bough.kept.wrap)
        self.bough.tell(
            "Long lines are wrapped." if self.bough.kept.wrap else "Long lines are cut."
        )

    # -- moving -------------------------------------------------------------------------------

    def do_next_prompt(self) -> None:
        """Go to the next prompt."""
        self.reader.jump(("prompt",), 1)

    def do_previous_prompt(self) -> None:
        """Go to the previous prompt."""
        self.reader.jump(("prompt",), -1)

    def do_follow(self) -> None:
        """Follow the session live, or stop following."""
        self.reader.follow = not self.reader.follow
        if self.reader.follow:
            self.new = 0
            self.reader.to_end()
        self.say_keys()

    @override
    def do_end(self) -> None:
        """Go to the end, and follow what comes."""
        self.new = 0
        self.reader.to_end()
        self.reader.follow = True
        self.say_keys()

    # -- find ---------------------------------------------------------------------------------

    def do_find(self) -> None:
        """Find words in the conversation."""
        box = self.query_one("#find", Input)
        box.remove_class("hidden")
        box.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Mark what is looked for while it is typed."""
        self.reader.needle = one_line(event.value)
        self.reader.refresh()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Find all places, and go to the next one from here."""
        words = event.value.strip()
        self.reader.focus()
        if self.telling is None or not words:
            return
        self.spots = self.telling.spots(words)
        if not self.spots:
            self.bough.tell(f'No hit for "{words}" on this branch.')
            self.say_keys()
            return
        top = self.reader.cursor
        after = (n for n, s in enumerate(self.spots) if (self.reader.number_of(s.key) or 0) >= top)
        self._to_spot(next(after, 0))

    def do_next_hit(self) -> None:
        """Go to the next hit; of a search, also in other sessions."""
        self._other_hit(1)

    def do_previous_hit(self) -> None:
        """Go to the previous hit."""
        self._other_hit(-1)

    def _other_hit(self, by: int) -> None:
        if self.bough.hits:
            from bough.tui.screens.search import go_to_hit  # noqa: PLC0415 - it opens this screen

            go_to_hit(self.bough, self.bough.hit + by, instead=True)
        elif self.spots:
            self._to_spot((self.spot + by) % len(self.spots))

    def _to_spot(self, number: int) -> None:
        """Open only what hides a hit, and close what was opened for the one before."""
        spot = self.spots[number]
        for key in self.folds.looked | set(spot.opens):
            if self.telling is not None:
                self.telling.renew(key)
        self.folds.looked = set(spot.opens)
        self.folds.shut -= set(spot.opens)
        self.spot = number
        self.draw()
        self.reader.follow = False
        if not self.reader.to_key(spot.key):
            self.reader.to_key(spot.key.partition(":")[0])
        self._line_of_hit(spot.key)
        self.say_keys()

    def _line_of_hit(self, key: str) -> None:
        """Scroll to the words themselves where they stand far down in a long piece."""
        number = self.reader.number_of(key)
        if number is None:
            return
        wanted = self.reader.needle.casefold()
        lines = self.reader.lines_at(number)
        line = next((n for n, one in enumerate(lines) if wanted in text_of(one).casefold()), 0)
        if line >= self.reader.size.height - 2:
            self.reader.scroll(line - 2)

    @override
    def do_back(self) -> None:
        """Close the find bar, then leave."""
        box = self.query_one("#find", Input)
        if "hidden" not in box.classes:
            box.add_class("hidden")
            box.value = ""
            self.spots, self.spot = (), -1
            for key in self.folds.looked:
                if self.telling is not None:
                    self.telling.renew(key)
            self.folds.looked = set()
            self.reader.needle = ""
            self.reader.focus()
            self.draw()
            return
        self.bough.hits, self.bough.hit = (), -1
        self.bough.back()

    # -- elsewhere ----------------------------------------------------------------------------

    @property
    def turn(self) -> Turn | None:
        """Give the turn under the cursor."""
        picked = self.reader.picked
        return picked.about.turn if picked and isinstance(picked.about, About) else None

    def do_tree(self) -> None:
        """Draw the session."""
        from bough.tui.screens.tree import Tree  # noqa: PLC0415

        at = self.turn.uuid if self.turn is not None else None
        self.bough.open(Tree(self.path, at=at))

    def do_raw(self) -> None:
        """Show the records behind the turn under the cursor."""
        from bough.tui.screens.raw import Raw  # noqa: PLC0415

        picked = self.reader.picked
        if (
            picked is not None
            and isinstance(picked.about, About)
            and picked.about.session is not None
        ):
            self.bough.open(Raw(picked.about.session, picked.about))

    def do_health(self) -> None:
        """Say what is wrong with the session."""
        from bough.tui.screens.health import HealthScreen  # noqa: PLC0415

        self.bough.open(HealthScreen(self.path))

    def do_fork(self) -> None:
        """Show what a fork from here would be."""
        from bough.tui.screens.preview import fork_preview  # noqa: PLC0415

        if self.turn is not None and self.turn.uuid is not None:
            self.bough.open(fork_preview(self.path, self.turn.uuid))

    def do_make_active(self) -> None:
        """Show what making this the active branch would do."""
        from bough.tui.screens.preview import goto_preview  # noqa: PLC0415

        if self.turn is not None and self.turn.uuid is not None:
            self.bough.open(goto_preview(self.path, self.turn.uuid))

    def do_rename(self) -> None:
        """Give the session another title."""
        from bough.tui.screens.preview import rename_preview  # noqa: PLC0415

        title = self.telling.session.title if self.telling is not None else ""
        self.bough.open(rename_preview(self.path, title))

    @property
    def _session_id(self) -> str:
        return Path(self.path).stem

    def do_copy_resume(self) -> None:
        """Copy the command that resumes the session."""
        self.bough.copy(f"claude --resume {self._session_id}", "the resume command")

    def do_copy_id(self) -> None:
        """Copy the id of the message under the cursor, else of the session."""
        uuid = self.turn.uuid if self.turn is not None else None
        self.bough.copy(uuid or self._session_id, "the id")

    def do_copy_path(self) -> None:
        """Copy the path of the session's file."""
        self.bough.copy(self.path, "the path")

    def do_copy_link(self) -> None:
        """Copy the command that shows this message."""
        tip = f" --tip {self.turn.uuid}" if self.turn is not None and self.turn.uuid else ""
        self.bough.copy(f"bough show {self._session_id}{tip}", "the link")

    def do_copy_markdown(self) -> None:
        """Copy the words of the turn under the cursor, as they were written."""
        if self.turn is not None:
            self.bough.copy(self.turn.text, "as Markdown")

    def do_view(self) -> None:
        """Read the conversation in the pager."""
        lines = (
            text_of(line)
            for n in range(len(self.reader.pieces))
            for line in self.reader.lines_at(n)
        )
        pager = os.environ.get("BOUGH_PAGER") or os.environ.get("PAGER") or "less"
        self._run(shlex.split(pager), "\n".join(lines))

    def do_editor(self) -> None:
        """Open the session's file in the editor."""
        editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
        self._run([*shlex.split(editor), self.path])

    def _run(self, command: list[str], text: str | None = None) -> None:
        try:
            with self.bough.suspend():
                subprocess.run(command, check=False, input=text, text=True)  # noqa: S603 - the person's own program
        except OSError as error:
            self.bough.tell(f"Cannot start {command[0]}: {error.strerror}.", severity="error")
