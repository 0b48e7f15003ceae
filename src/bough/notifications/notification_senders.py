"""How a notification gets to a person: the desktop, a terminal, a webhook.

Nothing of a transcript becomes part of a command: programs get it as arguments, PowerShell,
which would read arguments as commands, in its environment. What may take a while happens in a
thread of its own, so that nobody who follows sessions waits for a desktop.
"""

import os
import queue
import shutil
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from enum import StrEnum
from http.client import HTTPException
from typing import Final

import msgspec
from msgspec import Struct

from bough.errors import BoughError, Misuse
from bough.notifications.notification_choice import (
    Notification,
    NotificationKind,
    notification_document,
)

SendNotification = Callable[[Notification], None]

_SECONDS: Final = 10.0
_LAST_SECONDS: Final = 3.0
_MOST_QUEUED: Final = 100
_URGENT: Final = NotificationKind.WAITING
_SERVICE: Final = "org.freedesktop.Notifications"
_OBJECT: Final = "/org/freedesktop/Notifications"
_APPLE_SCRIPT: Final = (
    "on run argv",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "end run",
)
# The name of an application that is there: toasts of others are not shown.
_TOAST: Final = r"""
$m = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$x = $m::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02)
$t = $x.GetElementsByTagName('text')
[void]$t.Item(0).AppendChild($x.CreateTextNode($env:BOUGH_HEADING))
[void]$t.Item(1).AppendChild($x.CreateTextNode($env:BOUGH_TEXT))
$app = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\WindowsPowerShell\v1.0\powershell.exe'
$m::CreateToastNotifier($app).Show([Windows.UI.Notifications.ToastNotification]::new($x))
"""  # noqa: E501 - a line of PowerShell


class NotificationNotSent(BoughError):
    """A notification that did not get through; the message says why."""


class TerminalCode(StrEnum):
    """The control sequences by which terminals take notifications, by their numbers."""

    OSC_9 = "9"
    OSC_777 = "777"
    OSC_99 = "99"


class DesktopCommand(Struct, frozen=True):
    """A program and its arguments; `environment` is added to ours."""

    words: tuple[str, ...]
    environment: dict[str, str] = {}


BuildCommand = Callable[[Notification], DesktopCommand]


def find_desktop_sender(
    platform: str = sys.platform, find_program: Callable[[str], str | None] = shutil.which
) -> SendNotification:
    """Find the program by which this desktop is told; a refusal where there is none."""
    for name, build in _list_programs(platform):
        program = find_program(name)
        if program is not None:
            return lambda one, build=build, program=program: _run(build(one), program)  # type: ignore[misc] # bound early
    names = " or ".join(name for name, _ in _list_programs(platform))
    raise BoughError(
        f"This desktop cannot be told: there is no {names}. "
        "bough notify --terminal, --exec and --webhook do without."
    )


def build_gdbus_command(notification: Notification) -> DesktopCommand:
    """Write the call of the desktop's own service as gdbus takes it."""
    urgency = 2 if notification.kind is _URGENT else 1
    return DesktopCommand(
        (
            *("gdbus", "call", "--session", "--timeout", str(int(_SECONDS))),
            *("--dest", _SERVICE, "--object-path", _OBJECT, "--method", f"{_SERVICE}.Notify"),
            _quote_variant("bough"),
            "uint32 0",
            _quote_variant(""),
            _quote_variant(notification.heading),
            _quote_variant(_escape_markup(notification.text)),
            "@as []",
            f"@a{{sv}} {{'urgency': <byte {urgency}>}}",
            "int32 -1",
        )
    )


def build_notify_send_command(notification: Notification) -> DesktopCommand:
    """Write the arguments of notify-send, which reads backslashes in the text as C does."""
    urgency = "critical" if notification.kind is _URGENT else "normal"
    text = _escape_markup(notification.text).replace("\\", "\\\\")
    options = ("--app-name=bough", f"--urgency={urgency}")
    return DesktopCommand(("notify-send", *options, "--", notification.heading, text))


def build_apple_command(notification: Notification) -> DesktopCommand:
    """Write a script that takes its words as arguments."""
    script = (word for line in _APPLE_SCRIPT for word in ("-e", line))
    return DesktopCommand(("osascript", *script, "--", notification.heading, notification.text))


def build_windows_command(notification: Notification) -> DesktopCommand:
    """Write a script that takes its words from the environment."""
    words = {"BOUGH_HEADING": notification.heading, "BOUGH_TEXT": notification.text}
    return DesktopCommand(
        ("powershell.exe", "-NoProfile", "-NonInteractive", "-Command", _TOAST), words
    )


def find_terminal_code(environ: Mapping[str, str]) -> TerminalCode:
    """Tell by which sequence a terminal takes notifications; most know the oldest."""
    kind = environ.get("TERM", "")
    if "KITTY_WINDOW_ID" in environ or "kitty" in kind:
        return TerminalCode.OSC_99
    if kind.startswith(("foot", "rxvt")):
        return TerminalCode.OSC_777
    return TerminalCode.OSC_9


def encode_for_terminal(notification: Notification, code: TerminalCode, *, tmux: bool) -> str:
    """Write a notification as a control sequence.

    Args:
        notification: What is told; its words hold no control characters.
        code: What the terminal understands.
        tmux: Whether tmux stands before the terminal, and has to pass it on.
    """
    # A semicolon would end a field, or make a progress bar of it.
    heading, text = (part.replace(";", ",") for part in (notification.heading, notification.text))
    match code:
        case TerminalCode.OSC_9:
            parts = [f"9;{notification.line.replace(';', ',')}"]
        case TerminalCode.OSC_777:
            parts = [f"777;notify;{heading};{text}"]
        case _:
            urgency = 2 if notification.kind is _URGENT else 1
            parts = [f"99;i=bough:d=0:u={urgency};{heading}", f"99;i=bough:d=1:p=body;{text}"]
    found = "".join(f"\x1b]{part}\x1b\\" for part in parts)
    return "\x1bPtmux;" + found.replace("\x1b", "\x1b\x1b") + "\x1b\\" if tmux else found


def make_webhook_sender(url: str) -> SendNotification:
    """Make a sender that posts JSON to an address."""
    find_webhook_host(url)

    def send(notification: Notification) -> None:
        post_document(url, notification_document(notification))

    return send


def post_document(url: str, document: object) -> None:
    """Post something as JSON to an address.

    Raises:
        NotificationNotSent: It did not get through.
    """
    request = urllib.request.Request(  # noqa: S310 - http and https alone get here
        url, msgspec.json.encode(document), {"Content-Type": "application/json"}, method="POST"
    )
    try:
        with _make_opener().open(request, timeout=_SECONDS):
            pass
    except urllib.error.HTTPError as error:
        raise NotificationNotSent(f"The webhook answered {error.code}.") from error
    except (OSError, HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise NotificationNotSent(f"The webhook cannot be reached: {reason}.") from error


def find_webhook_host(url: str) -> str:
    """Name the machine that a webhook is on; a refusal where the address is none."""
    try:
        parts = urllib.parse.urlsplit(url)
        is_port = parts.port != 0  # asking for it is what finds a wrong one
        host = parts.hostname if is_port and parts.scheme in ("http", "https") else None
    except ValueError:
        host = None
    if not host or not url.isascii() or any(character <= " " for character in url):
        raise Misuse("--webhook takes an address that begins with https:// or http://.")
    return host


class NotificationQueue:
    """Sends in a thread of its own, one after the other; each trouble is told once."""

    def __init__(self, send: SendNotification, complain: Callable[[str], None]) -> None:
        self._send = send
        self._complain = complain
        self._complaints: set[str] = set()
        self._waiting: queue.Queue[Notification | None] = queue.Queue(_MOST_QUEUED)
        self._thread = threading.Thread(target=self._run, name="bough-notify", daemon=True)
        self._thread.start()

    def add(self, notification: Notification) -> None:
        """Send it soon; where far too much waits it is left out, and that is told."""
        try:
            self._waiting.put_nowait(notification)
        except queue.Full:
            self._say("Notifications are slow to be sent; some were left out.")

    def close(self) -> None:
        """Send what waits, for a moment, and end."""
        try:
            self._waiting.put_nowait(None)
        except queue.Full:
            return
        self._thread.join(_LAST_SECONDS)

    def _run(self) -> None:
        while (notification := self._waiting.get()) is not None:
            try:
                self._send(notification)
            except BoughError as error:
                self._say(str(error))

    def _say(self, sentence: str) -> None:
        if sentence not in self._complaints:
            self._complaints.add(sentence)
            self._complain(sentence)


def _make_opener() -> urllib.request.OpenerDirector:
    """Make what posts, and follows nobody to a machine that was not named."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener


def _list_programs(platform: str) -> list[tuple[str, BuildCommand]]:
    if platform == "darwin":
        return [("osascript", build_apple_command)]
    if platform == "win32":
        return [("powershell.exe", build_windows_command)]
    return [("gdbus", build_gdbus_command), ("notify-send", build_notify_send_command)]


def _run(command: DesktopCommand, program: str) -> None:
    name = command.words[0]
    try:
        done = subprocess.run(  # noqa: S603 - a program of the system; words are arguments
            [program, *command.words[1:]],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, **command.environment},
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise NotificationNotSent(f"{name} did not end within {_SECONDS:.0f} s.") from error
    except OSError as error:
        raise NotificationNotSent(f"{name} could not be run: {error.strerror}.") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        reason = said[0].rstrip(".") if said else f"exit {done.returncode}"
        raise NotificationNotSent(f"The desktop could not be told: {reason}.")


def _quote_variant(text: str) -> str:
    """Write a string as GVariant's text format has it, so that nothing in it is read as more."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _escape_markup(text: str) -> str:
    """Write text as desktops take it: they read a few tags in it."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
