"""Answers: a call of a tool, a resource or a prompt becomes a text that is safe to send.

Nothing of the protocol is in here: it is what every way of asking has in common.
"""

import time
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import unquote

from msgspec import Struct

from bough import library
from bough.errors import (
    AmbiguousProject,
    AmbiguousSession,
    BoughError,
    IndexTrouble,
    Misuse,
    NotFound,
)
from bough.mcp.budgets import Draft, fit_draft, list_quotes
from bough.mcp.quote_fences import (
    NOTE,
    Fence,
    Quote,
    as_moment,
    as_place,
    clean_text,
    escape_marks,
    is_identifier,
)
from bough.mcp.scope import OutOfScope, ScopedHistory
from bough.mcp.session_reader import SessionReader
from bough.mcp.tool_arguments import FileHistoryArguments, ReadArguments, parse_arguments
from bough.mcp.tools import PROFILES, TOOLS, ToolContext, file_history, read

_OUTLINE_BUDGET: Final = 4_000
_TURN_BUDGET: Final = 4_000
_FILE_BUDGET: Final = 2_000
_SUMMARY_BUDGET: Final = 6_000
_LONGEST_ERROR: Final = 500
_COMPLETED: Final = 50
_LISTED: Final = 20
_NOWHERE: Final = "Nothing in scope goes by that name."

LogCall = Callable[[str, int, float], None]
"""Is told which tool was called, how long the answer is, and how many seconds it took."""


class Answer(Struct, frozen=True):
    """A text, and whether it says that something went wrong."""

    text: str
    is_error: bool = False


class Answerer:
    """Answers every call from one scope; calls come one after the other."""

    def __init__(
        self, history: ScopedHistory, profile: str = "all", log_call: LogCall | None = None
    ) -> None:
        self._history = history
        self._reader = SessionReader(history)
        self._context = ToolContext(history, self._reader)
        self._log_call = log_call
        self.tools = tuple(tool for tool in TOOLS if tool.name in PROFILES[profile])

    def close(self) -> None:
        """Let go of the index."""
        self._history.close()

    def call_tool(self, name: str, arguments: dict[str, Any] | None) -> Answer:
        """Answer a call of a tool."""

        def draft() -> tuple[Draft, int]:
            tool = next((tool for tool in self.tools if tool.name == name), None)
            if tool is None:
                raise Misuse("There is no tool of that name.")
            asked = parse_arguments(tool.arguments, arguments)
            return tool.answer(self._context, asked), asked.budget

        return self._answer(name, draft)

    def read_resource(self, uri: str) -> Answer:
        """Answer with a resource: an outline, a turn, or the history of a file."""
        return self._answer("resource", lambda: self._draft_resource(uri))

    def list_resources(self) -> list[str]:
        """Name the newest sessions in scope whose names are ids: nothing stands around these."""
        self._history.refresh()
        names = list(filter(is_identifier, self._history.rows))
        return [f"bough://session/{name}" for name in names[:_LISTED]]

    def complete_session(self, begun: str) -> list[str]:
        """List the ids of sessions in scope that begin so."""
        self._history.refresh()
        names = (
            name for name in self._history.rows if name.startswith(begun) and is_identifier(name)
        )
        return [name for _, name in zip(range(_COMPLETED), names, strict=False)]

    def summarize_session(self, session: str) -> Answer:
        """Answer with a session in short, as one quote."""

        def draft() -> tuple[Draft, int]:
            row = self._history.find_row(session)
            made = library.export_session(
                self._reader.read(session),
                library.ExportOptions(
                    to=library.ExportFormat.MARKDOWN,
                    for_llm=True,
                    # Fences and JSON take some of it.
                    budget=_SUMMARY_BUDGET * 3 // 4,
                ),
            )
            head = {"session": as_place(row.id, None)}
            items = [{"text": Quote(made.body.decode())}]
            return Draft(head, "conversation", items), _SUMMARY_BUDGET

        return self._answer("prompt", draft)

    def _draft_resource(self, uri: str) -> tuple[Draft, int]:
        kind, _, rest = uri.removeprefix("bough://").partition("/")
        match kind, rest.split("/"):
            case "session", [session]:
                return self._draft_outline(unquote(session)), _OUTLINE_BUDGET
            case "session", [session, "turn", uuid]:
                place = f"{unquote(session)}#{unquote(uuid)}"
                return read(self._context, ReadArguments(place, after=0)), _TURN_BUDGET
            case "file", [_, *_]:
                asked = FileHistoryArguments(unquote(rest))
                return file_history(self._context, asked), _FILE_BUDGET
            case _:
                raise Misuse("Resources are bough://session/ID, its /turn/UUID, bough://file/PATH.")

    def _draft_outline(self, wanted: str) -> Draft:
        row = self._history.find_row(wanted)
        session = self._reader.read(wanted)
        items = [
            {
                "place": as_place(session.id, turn.uuid),
                "when": as_moment(turn.timestamp),
                "prompt": Quote(turn.text, 200),
            }
            for turn in session.conversation().turns
        ]
        head = {
            "session": as_place(row.id, None),
            "title": Quote(row.title, 120),
            "branches": len(session.tips),
            "turns": row.turns,
        }
        return Draft(head, "prompts", items)

    def _answer(self, name: str, draft: Callable[[], tuple[Draft, int]]) -> Answer:
        started = time.perf_counter()
        try:
            self._history.refresh()
            made, budget = draft()
            redactor = self._reader.make_redactor(list_quotes(made), made.quoted_sessions)
            answer = Answer(fit_draft(made, Fence(redactor), budget))
        except BoughError as error:
            answer = Answer(_word_error(error), is_error=True)
        if self._log_call is not None:
            seconds = time.perf_counter() - started
            self._log_call(name, len(answer.text.encode("utf-8", "replace")), seconds)
        return answer


def _word_error(error: BoughError) -> str:
    """Say what went wrong; what the words of a transcript may be part of goes as a quote."""
    redactor = library.Redactor()
    if isinstance(error, AmbiguousProject | AmbiguousSession):
        return _NOWHERE
    if isinstance(error, OutOfScope | Misuse | IndexTrouble | library.QuerySyntaxError):
        return escape_marks(redactor.words(clean_text(error.message[:_LONGEST_ERROR])))
    if isinstance(error, NotFound):
        return _NOWHERE
    quoted = Fence(redactor).enclose(Quote(error.message, _LONGEST_ERROR))
    return f"{NOTE}\nbough could not answer: {quoted}"
