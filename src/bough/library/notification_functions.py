"""Notifications of live sessions: what `bough notify`, `watch --notify` and `web --notify` tell."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from bough.notifications.notification_choice import (
    Notification,
    NotificationChooser,
    parse_notification_kinds,
    parse_quiet_hours,
)
from bough.notifications.notification_senders import (
    NotificationQueue,
    SendNotification,
    find_desktop_sender,
)
from bough.query.live.events import StreamEvent
from bough.query.usage.time_zones import LocalZone


class Notifier:
    """Tells what happens in sessions; close it when done."""

    def __init__(
        self,
        chooser: NotificationChooser,
        senders: Iterable[SendNotification],
        complain: Callable[[str], None],
        now: Callable[[], datetime] = lambda: datetime.now(LocalZone()),
    ) -> None:
        self._chooser = chooser
        self._queues = [NotificationQueue(send, complain) for send in senders]
        self._now = now
        self.note_past = chooser.note_past

    def handle_events(self, events: Iterable[StreamEvent]) -> list[Notification]:
        """Tell what there is to tell, and give it; call it about once a second."""
        found = self._chooser.choose(events, self._now())
        for notification in found:
            for one in self._queues:
                one.add(notification)
        return found

    def close(self) -> None:
        """Send what waits, and end."""
        for one in self._queues:
            one.close()


def make_notifier(
    senders: Sequence[SendNotification] | None = None,
    *,
    on: Sequence[str] = (),
    quiet: str | None = None,
    complain: Callable[[str], None] = lambda _: None,
) -> Notifier:
    """Prepare to tell of sessions that wait, finish or fail.

    Args:
        senders: How it is told; by default on this desktop.
        on: waiting, finished, failed, budget; nothing means all of them.
        quiet: Hours in which nothing is told, such as 22:00-08:00.
        complain: Is told once why something cannot be sent.
    """
    kinds = parse_notification_kinds(on)
    hours = parse_quiet_hours(quiet) if quiet is not None else None
    chosen = [find_desktop_sender()] if senders is None else senders
    return Notifier(NotificationChooser(kinds, hours), chosen, complain)
