"""Hooks: what each record tells about a program of the user's that the client ran.

No client keeps one record per run. From 2.1.9 to 2.1.81 a progress record says that a hook
was started, and never how it ended. Later ones write an attachment for a hook that said or
failed at something, and `stop_hook_summary` lists all that ran when Claude stopped. A hook
that forbids a call leaves nothing but the error the model got. So one run may be told of
several times, by records that share the client's id of what set it off.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from bough.model.interpret.notes import extract_text
from bough.records.decode import attachment_of, decode_part, decode_plain, progress_of
from bough.records.record import Record
from bough.records.types import (
    Attachment,
    AttachmentData,
    HookInfo,
    Progress,
    ProgressData,
    System,
)

OK, FAILED, BLOCKED, UNKNOWN = "ok", "failed", "blocked", "unknown"
FEEDBACK, SUMMARY = "feedback", "summary"
_STOP = "Stop"
_UNNAMED = "hook"

_OUTCOMES = {
    "hook_success": OK,
    "hook_non_blocking_error": FAILED,
    "hook_error_during_execution": FAILED,
    "hook_cancelled": FAILED,
    "hook_blocking_error": BLOCKED,
}
_STOPS = re.compile(r'"continue"\s*:\s*false')
# "PreToolUse:Bash hook error: [command]: why", and up to 2.0.14 "Write operation blocked by
# hook:\n- [command]: why". A hook that answers in JSON gives the reason without its command.
_FORBIDDEN = re.compile(
    r"(?:(?P<event>\w+):\S+ hook error: |(?P<what>\w+) operation blocked by hook:\n(?:- )?)"
    r"(?:\[(?P<command>.*?)\]: )?",
    re.DOTALL,
)
# Up to 2.0.14: "PostToolUse:Bash [command] completed successfully: what it printed".
_REPORTED = re.compile(
    r"(?P<event>\w+)(?::\S+)? \[(?P<command>.*?)\] "
    r"(?P<how>completed successfully|failed with non-blocking status code)",
    re.DOTALL,
)
_FED_BACK = re.compile(r"^(?:- )?\[(.+?)\]: ", re.MULTILINE)


class HookRun(Struct, frozen=True, gc=False):
    """What one record tells about one run of one hook.

    `call` is the client's id of what set the hook off: a call of a tool, or an id of its
    own. `outcome` is ok, failed, blocked, or unknown where the record does not tell.
    """

    call: str | None
    event: str | None
    command: str
    outcome: str
    duration_ms: float | None
    source: str


class _Blocking(Struct):
    command: str | None = None


def read_hook_runs(record: Record) -> Sequence[HookRun]:
    """List the runs a record of the client's own tells of."""
    match record:
        case System(subtype="stop_hook_summary"):
            return list(_read_summary(record))
        case System():
            run = _read_notice(record)
        case Attachment():
            run = _read_attachment(attachment_of(record))
        case Progress():
            run = _read_progress(record, progress_of(record))
        case _:
            return ()
    return () if run is None else (run,)


def find_blocking_hook(call: str, text: str) -> HookRun | None:
    """Tell which hook forbade a call, from the error that the model got instead."""
    found = _FORBIDDEN.match(text)
    if found is None:
        return None
    event = found["event"] or "PreToolUse"
    command = found["command"] or text.partition(" hook error")[0].partition(" operation")[0]
    return HookRun(call, event, command, BLOCKED, None, "result")


def read_stop_hook_feedback(text: str) -> list[HookRun]:
    """List the hooks that kept Claude from stopping, from what the model was told."""
    commands = _FED_BACK.findall(text)
    return [HookRun(None, _STOP, command, BLOCKED, None, FEEDBACK) for command in commands]


def _read_progress(record: Progress, data: ProgressData) -> HookRun | None:
    if data.type != "hook_progress":
        return None
    name = data.command or data.hook_name or _UNNAMED
    return HookRun(record.tool_use_id, data.hook_event, name, UNKNOWN, None, "progress")


def _read_attachment(data: AttachmentData) -> HookRun | None:
    outcome = _OUTCOMES.get(data.type)
    if data.type == "hook_additional_context" and data.tool_use_id != data.hook_event:
        # Stands alone where the hook's output was JSON: all that is left of the run. Named
        # after its event instead of a call, it repeats what a hook_success told.
        outcome = OK
    if outcome is None:
        return None
    if outcome == OK and _STOPS.search(data.stdout or ""):
        outcome = BLOCKED
    command = data.command or decode_part(data.blocking_error_json, _Blocking).command
    name = command or data.hook_name or _UNNAMED
    return HookRun(data.tool_use_id, data.hook_event, name, outcome, data.duration_ms, "attachment")


def _read_summary(record: System) -> Iterator[HookRun]:
    infos = record.hook_infos or []
    errors = _filter_texts(decode_plain(record.hook_errors_json))
    named = Counter(
        info.command for info in infos for text in errors if text.startswith(f"[{info.command}]: ")
    )
    others = [info for info in infos if info.command not in named]
    vague = sum(not any(text.startswith(f"[{name}]: ") for name in named) for text in errors)
    for info in infos:
        if info.command in named:
            outcome = BLOCKED
        elif record.prevented_continuation:
            outcome = BLOCKED if len(others) == 1 else UNKNOWN
        else:
            # An error that names no command could be anyone's.
            outcome = OK if not vague else FAILED if vague >= len(others) else UNKNOWN
        yield _build_stop_run(record, info, outcome)


def _build_stop_run(record: System, info: HookInfo, outcome: str) -> HookRun:
    name = info.command or _UNNAMED
    return HookRun(record.tool_use_id, _STOP, name, outcome, info.duration_ms, SUMMARY)


def _read_notice(record: System) -> HookRun | None:
    if record.subtype not in ("informational", None):
        return None
    text = extract_text(record.content_json)
    if (found := _REPORTED.match(text)) is not None:
        outcome = OK if found["how"].startswith("completed") else FAILED
        return HookRun(
            record.tool_use_id, found["event"], found["command"], outcome, None, "notice"
        )
    if (found := _FORBIDDEN.match(text)) is not None and found["command"]:
        event = found["event"] or found["what"]
        return HookRun(record.tool_use_id, event, found["command"], BLOCKED, None, "notice")
    return None


def _filter_texts(value: Any) -> list[str]:
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []
