"""`bough-guard`: the program that a client runs before each tool, where a person wants stops.

It ends a turn where the budget of its session, or of the day, is used up, and says why; the client
shows the sentence. The call that was asked for still runs, so that the session has its result, and
Claude is not asked again. (Where the call is denied instead, most clients ask Claude once more.)

Numbers come from the cache of the status line. Without a number there is no stop, nor with one
that is older than ten minutes, of another day or not to be read; whatever goes wrong, the turn
goes on. The standard library alone, as the status line.
"""

import json
import os
import re
import time

from bough import paths
from bough.client_input import HOOK_SECONDS, MOST_BYTES, read_stdin
from bough.status_line.client_status import ClientStatus, parse_client_status
from bough.status_line.line_format import format_dollars
from bough.status_line.number_cache import BudgetStatus, claim_refresh, read_numbers, start_refresh

EVENT = "PreToolUse"
"""The one event it is set for; every client that takes hooks knows it."""
_FIELD = re.compile(rb'"(session_id|transcript_path)"\s*:\s*("(?:[^"\\]|\\.){1,4000}")')


def main() -> None:
    """Answer the client and end; whatever happens, nobody is stopped by a failure."""
    try:
        answer = make_answer(read_stdin(HOOK_SECONDS), time.time())
        if answer:
            os.write(1, answer.encode())
    except BaseException:  # noqa: BLE001 - the top of a face, and nobody may be troubled
        os._exit(0)
    os._exit(0)


def make_answer(data: bytes, now: float) -> str:
    """Make what the client is told: nothing, or to stop and why."""
    client = _read_client(data)
    folder = client.claude_folder or paths.find_client_folder()
    numbers = read_numbers(folder, now) if folder else None
    if folder and (numbers is None or numbers.is_due) and claim_refresh(folder, now):
        start_refresh(folder)
    if numbers is None or not numbers.is_shown or not client.session:
        return ""
    found = numbers.list_used_budgets(client.session)
    if not found:
        return ""
    return json.dumps({"continue": False, "stopReason": describe_stop(found[0])})


def describe_stop(budget: BudgetStatus) -> str:
    """Say why a session is stopped, and what a person can do."""
    who = "this session" if budget.of == "session" else "today"
    return (
        f"Stopped by bough guard: {who} cost {format_dollars(budget.spent)}, and the budget of a "
        f"{budget.of} is {format_dollars(budget.usd)}. Raise it with bough guard set "
        f"--{budget.of} N, or take the guard out with bough guard uninstall."
    )


def _read_client(data: bytes) -> ClientStatus:
    """Read who asks; of a document that is too long its first fields."""
    if len(data) <= MOST_BYTES:
        return parse_client_status(data)
    found: dict[str, object] = {}
    for name, value in _FIELD.findall(data[: 1 << 16]):
        try:
            found.setdefault(name.decode(), json.loads(value))
        except ValueError:
            continue
    return ClientStatus(found)
