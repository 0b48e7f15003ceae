"""What the client's hooks tell, where a person has installed them: what is asked, at once.

An event is an aid: it says in words what a session waits for, and it never outranks what came
later. A denial and Esc send no event, so a wait that nothing has ended is believed for a quarter
of an hour at most.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct

PERMISSION: Final = "PermissionRequest"
NOTIFICATION: Final = "Notification"
STOP: Final = "Stop"
STOP_FAILURE: Final = "StopFailure"
BELIEVED: Final = timedelta(minutes=15)
"""So long a wait is believed of which nothing else is heard."""
_WAITING_KINDS: Final = ("permission_prompt", "elicitation_dialog")


class HookEvent(Struct, frozen=True):
    """One event of a session's client.

    `about` is the one field of the tool's input that is shown, `kind` what sort of notification
    or failure it was, `tasks` how much works on in the background. `pid`,
    `pid_domain` and `begun` are the process of the client, where that is known; `has_ended` says
    that it runs no more.
    """

    event: str
    session: str
    at: datetime
    tool: str = ""
    about: str = ""
    kind: str = ""
    tasks: int = 0
    pid: int = 0
    pid_domain: str = ""
    begun: str = ""
    has_ended: bool = False

    @property
    def is_waiting(self) -> bool:
        """Tell whether it says that the session waits for a person."""
        return self.event == PERMISSION or self.is_notice

    @property
    def is_notice(self) -> bool:
        """Tell whether it is a notification that somebody is waited for, which names no tool."""
        return self.event == NOTIFICATION and self.kind in _WAITING_KINDS


def find_newest_events(events: Iterable[HookEvent]) -> dict[str, HookEvent]:
    """Find for each session the event that holds, the events being in the order they came.

    A notification that nobody has answered says less than the request it is about.
    """
    newest: dict[str, HookEvent] = {}
    for one in events:
        before = newest.get(one.session)
        if one.is_notice and before is not None and before.event == PERMISSION:
            continue
        if one.event == NOTIFICATION and not one.is_notice:
            continue
        newest[one.session] = one
    return newest
