"""The archive: what is kept, what the client deletes next, and what can be done about it."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, Literal

from bough.backports import override
from bough.library import ExpiringSession, GoneSessionCopy, restore
from bough.tui.content.archive_rows import build_archive_items
from bough.tui.data import ArchiveData
from bough.tui.screens.archive.forget_question import ForgetScreen
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.screens.plan_preview import PlanPreviewScreen
from bough.tui.widgets.list_items import make_line_item
from bough.tui.widgets.list_view import ListView

_TICK: Final = 0.3
_OF_ROW: Final = frozenset(("open", "restore", "forget", "tree"))


class ArchiveScreen(BaseScreen):
    """How the archive stands; work on it goes on while one looks at something else."""

    KEYS: ClassVar = ("down", "open", "keep-copies", "verify", "restore", "forget", "help")
    TITLE = "Archive"

    def __init__(self) -> None:
        super().__init__()
        self.found: ArchiveData | None = None
        self._is_ticking = False
        self._was_running = False

    @override
    def begin(self) -> None:
        """Ask how it stands."""
        self.query_one("#list", ListView).focus()
        if not self._is_ticking:
            self._is_ticking = True
            self.set_interval(_TICK, self._tick)
            self.query_one("#list", ListView).show(
                [make_line_item("reading", "Reading the archive…")]
            )
        self.run_in_thread(self.bough.source.load_archive, self._show)

    @override
    def reload_from_index(self) -> None:
        """Ask again once the index is current."""
        self.begin()

    def _show(self, found: object) -> None:
        if isinstance(found, ArchiveData):
            first = self.found is None
            self.found = found
            self.draw()
            if first:
                self.query_one("#list", ListView).go_to_start()

    def _tick(self) -> None:
        """Show how far the work is; once it ended, what came of it."""
        is_running = self.bough.source.archive_job.progress.state == "running"
        if is_running and self.is_current:
            self.draw()
        elif self._was_running and not is_running:
            self.begin()
        self._was_running = is_running

    def draw(self) -> None:
        """Show the rows anew."""
        if self.found is not None:
            progress = self.bough.source.archive_job.progress
            items = build_archive_items(self.found, progress, self.make_canvas(), self.bough.glyphs)
            self.query_one("#list", ListView).show(list(items))
            self.show_footer_keys()

    # -- keys ---------------------------------------------------------------------------------

    @property
    def row(self) -> ExpiringSession | GoneSessionCopy | None:
        """Give the session under the cursor."""
        picked = self.query_one("#list", ListView).picked
        about = picked.about if picked is not None else None
        return about if isinstance(about, ExpiringSession | GoneSessionCopy) else None

    @override
    def list_footer_keys(self) -> Sequence[str]:
        """Name the keys of the row under the cursor."""
        missing = set() if self.row is not None else set(_OF_ROW)
        if not isinstance(self.row, GoneSessionCopy):
            missing.add("restore")
        return [name for name in super().list_footer_keys() if name not in missing]

    @override
    def describe_keys(self) -> Mapping[str, str]:
        """Say what the keys do now."""
        progress = self.bough.source.archive_job.progress
        if progress.state != "running":
            return {"open": "read"}
        return {"open": "read", _KEY_OF_WORK[progress.kind]: "stop"}

    def do_open(self) -> None:
        """Read the session under the cursor."""
        from bough.tui.screens.conversation.screen import ConversationScreen  # noqa: PLC0415

        if self.row is not None:
            self.bough.open(ConversationScreen(self.row.path))

    def do_tree(self) -> None:
        """Draw the session under the cursor."""
        from bough.tui.screens.tree import TreeScreen  # noqa: PLC0415

        if self.row is not None:
            self.bough.open(TreeScreen(self.row.path))

    def do_keep_copies(self) -> None:
        """Take in what is new, or stop that."""
        self._work("keep")

    def do_verify(self) -> None:
        """Verify every copy, or stop that."""
        self._work("verify")

    def _work(self, kind: Literal["keep", "verify"]) -> None:
        job = self.bough.source.archive_job
        if job.progress.state == "running" and job.progress.kind == kind:
            job.cancel()
        elif not job.start(kind):
            self.bough.show_notice("The archive is busy. Wait, or stop what it does.", "warning")
        self._was_running = True
        self.draw()

    def do_restore(self) -> None:
        """Preview how the session under the cursor comes back."""
        row = self.row
        if isinstance(row, GoneSessionCopy):
            what = f"Bring back session {row.session[:8]}"
            self.bough.open(PlanPreviewScreen(what, lambda _: restore(row.path)))

    def do_forget(self) -> None:
        """Ask whether every copy of the session under the cursor shall go."""
        if self.row is not None:
            self.bough.open(ForgetScreen(self.row))

    @override
    def catch_up(self) -> None:
        """Ask again after something was done."""
        self.begin()

    @override
    def on_screen_resume(self) -> None:
        """Ask again: what was opened from here may have changed the archive."""
        if self.found is not None:
            self.begin()


_KEY_OF_WORK: Final = {"keep": "keep-copies", "verify": "verify", "": ""}
