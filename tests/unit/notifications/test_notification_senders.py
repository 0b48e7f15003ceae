"""How a notification is handed to desktops, terminals and addresses."""

import threading

import pytest

from bough.errors import BoughError, Misuse
from bough.notifications.notification_choice import Notification, NotificationKind
from bough.notifications.notification_senders import (
    NotificationNotSent,
    NotificationQueue,
    TerminalCode,
    build_apple_command,
    build_gdbus_command,
    build_windows_command,
    encode_for_terminal,
    find_desktop_sender,
    find_terminal_code,
    find_webhook_host,
)
from bough.query.live.events import SessionEventKind, StreamEvent

EVENT = StreamEvent(
    kind=SessionEventKind.STATE, session="a", project="p", uuid=None, time=None, text=""
)
TOLD = Notification(NotificationKind.WAITING, "-e 4;1;'$(x)", 'do "it"; \\ <b>&', EVENT)
ENDED = Notification(NotificationKind.FINISHED, "shop finished", "Title", EVENT)


def test_a_mac_gets_the_words_as_arguments_of_a_script_that_has_none_of_them() -> None:
    words = build_apple_command(TOLD).words

    assert words[-3:] == ("--", TOLD.heading, TOLD.text)
    assert not any("$(x)" in word for word in words[:-3])


def test_powershell_gets_the_words_in_its_environment_and_in_no_command() -> None:
    command = build_windows_command(TOLD)

    assert command.environment == {"BOUGH_HEADING": TOLD.heading, "BOUGH_TEXT": TOLD.text}
    assert not any("$(x)" in word or "<b>" in word for word in command.words)


def test_a_string_cannot_end_early_in_what_gdbus_reads() -> None:
    words = build_gdbus_command(TOLD).words

    assert "'-e 4;1;\\'$(x)'" in words
    assert "'do \"it\"; \\\\ &lt;b&gt;&amp;'" in words
    assert "@a{sv} {'urgency': <byte 2>}" in words
    assert "@a{sv} {'urgency': <byte 1>}" in build_gdbus_command(ENDED).words


@pytest.mark.parametrize(
    ("code", "sent"),
    [
        (TerminalCode.OSC_9, "\x1b]9;shop finished: Title\x1b\\"),
        (TerminalCode.OSC_777, "\x1b]777;notify;shop finished;Title\x1b\\"),
        (
            TerminalCode.OSC_99,
            "\x1b]99;i=bough:d=0:u=1;shop finished\x1b\\\x1b]99;i=bough:d=1:p=body;Title\x1b\\",
        ),
    ],
)
def test_each_terminal_gets_its_own_sequence(code: TerminalCode, sent: str) -> None:
    assert encode_for_terminal(ENDED, code, tmux=False) == sent
    passed_on = encode_for_terminal(ENDED, code, tmux=True)
    assert passed_on == "\x1bPtmux;" + sent.replace("\x1b", "\x1b\x1b") + "\x1b\\"


@pytest.mark.parametrize(("code", "fields"), [(TerminalCode.OSC_9, 1), (TerminalCode.OSC_777, 3)])
def test_words_make_no_fields_of_a_sequence(code: TerminalCode, fields: int) -> None:
    assert encode_for_terminal(TOLD, code, tmux=False).count(";") == fields


@pytest.mark.parametrize(
    ("environ", "code"),
    [
        ({"TERM": "xterm-kitty"}, TerminalCode.OSC_99),
        ({"TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"}, TerminalCode.OSC_99),
        ({"TERM": "foot-extra"}, TerminalCode.OSC_777),
        ({"TERM": "rxvt-unicode"}, TerminalCode.OSC_777),
        ({"TERM": "xterm-256color"}, TerminalCode.OSC_9),
        ({}, TerminalCode.OSC_9),
    ],
)
def test_a_terminal_is_known_by_its_environment(
    environ: dict[str, str], code: TerminalCode
) -> None:
    assert find_terminal_code(environ) is code


@pytest.mark.parametrize(
    ("platform", "names"),
    [
        ("linux", "gdbus or notify-send"),
        ("darwin", "osascript"),
        ("win32", r"powershell\.exe"),
    ],
)
def test_a_desktop_without_its_program_is_refused(platform: str, names: str) -> None:
    with pytest.raises(BoughError, match=f"there is no {names}. bough notify --terminal"):
        find_desktop_sender(platform, lambda _: None)


@pytest.mark.parametrize(
    "url",
    ["", "hooks", "file:///etc/passwd", "https://", "https://a:b/", "http://a\n/", "ftp://a/"],
)
def test_an_address_that_is_none_is_a_misuse(url: str) -> None:
    with pytest.raises(Misuse, match="--webhook takes an address"):
        find_webhook_host(url)


def test_the_machine_of_an_address_is_named_without_its_secrets() -> None:
    spoken = "word"

    host = find_webhook_host(f"https://user:{spoken}@hooks.example.com:8443/T0/x?y")

    assert host == "hooks.example.com"


def test_a_trouble_is_told_once_and_the_rest_is_sent() -> None:
    sent: list[str] = []
    complaints: list[str] = []

    def send(notification: Notification) -> None:
        if notification is TOLD:
            raise NotificationNotSent("No.")
        sent.append(notification.heading)

    told = NotificationQueue(send, complaints.append)
    for one in (TOLD, ENDED, TOLD, ENDED):
        told.add(one)
    told.close()

    assert (complaints, sent) == (["No."], ["shop finished"] * 2)


def test_who_follows_sessions_never_waits_for_a_slow_desktop() -> None:
    go_on = threading.Event()
    complaints: list[str] = []

    def send(_: Notification) -> None:
        go_on.wait(10)

    told = NotificationQueue(send, complaints.append)

    for _ in range(200):
        told.add(ENDED)
    go_on.set()
    told.close()

    assert complaints == ["Notifications are slow to be sent; some were left out."]
