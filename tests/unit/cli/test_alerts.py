"""Alerts: a bell, or a command, when something happens that matters."""

import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from bough.cli.alerts import Alerts, parse_conditions
from bough.errors import Misuse
from bough.model.live.status import SessionState
from bough.query.live.events import StreamEvent


def event(
    kind: str = "text", text: str = "", *, past: bool = False, **fields: object
) -> StreamEvent:
    given = {"session": "s", "project": "-p", "name": "shop", "uuid": None, "time": None, **fields}
    return StreamEvent(kind=kind, text=text, past=past, **given)  # type: ignore[arg-type]


def state(which: SessionState) -> StreamEvent:
    return event("state", which.value, state=which)


@pytest.mark.parametrize(
    ("words", "what", "matters"),
    [
        ((), state(SessionState.FINISHED), True),
        ((), state(SessionState.WAITING), True),
        ((), state(SessionState.FAILED), True),
        ((), state(SessionState.WORKING), False),
        ((), state(SessionState.INTERRUPTED), False),
        (("interrupted",), state(SessionState.INTERRUPTED), True),
        (("finished, waiting",), state(SessionState.WAITING), True),
        (("finished",), state(SessionState.WAITING), False),
        (("error",), event("error", "API Error"), False),
        (("prompt",), event("prompt", "x"), True),
        (("/gr[ea]+n/",), event("text", "It is green"), True),
        (("/GREEN/",), event("text", "It is green"), False),
        (("/GREEN/i",), event("text", "It is green"), True),
        (("finished,/a,b/",), event("text", "a,b"), True),
        ((r"/a\/b/,finished",), event("text", "a/b"), True),
        ((r"/a\/b/,finished",), state(SessionState.FINISHED), True),
        (("finished",), event("text", "finished"), False),
    ],
)
def test_what_matters(words: tuple[str, ...], what: StreamEvent, matters: bool) -> None:
    assert parse_conditions(words).is_met_by(what) is matters


def test_the_past_alerts_nobody() -> None:
    assert not parse_conditions(["/x/"]).is_met_by(event("text", "x", past=True))


@pytest.mark.parametrize("words", [("done",), ("/(/",), ("finished,,nothing",)])
def test_what_makes_no_sense_is_misuse(words: tuple[str, ...]) -> None:
    with pytest.raises(Misuse):
        parse_conditions(words)


def ended(alerts: Alerts) -> None:
    """Wait for the commands that were started."""
    for child in running_of(alerts):
        child.wait(10)


def running_of(alerts: Alerts) -> list[subprocess.Popen[bytes]]:
    assert alerts.command is not None
    return alerts.command.list_running()


def wait_for(path: Path) -> str:
    end = time.monotonic() + 10
    while not (path.exists() and path.read_text()) and time.monotonic() < end:
        time.sleep(0.02)
    return path.read_text()


def test_a_command_gets_the_event_on_its_input_and_in_its_environment(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    out = tmp_path / "out.json"
    script.write_text(
        "import os, sys, json\n"
        "event = json.load(sys.stdin)\n"
        "env = {k: v for k, v in os.environ.items() if k.startswith('BOUGH_E') or 'SESS' in k}\n"
        f"open({str(out)!r}, 'w').write(json.dumps([event, env['BOUGH_EVENT']]))\n"
    )
    alerts = Alerts(parse_conditions(()), f"{sys.executable} {script}", bell=False)

    alerts.handle_events([state(SessionState.FINISHED)])

    ended(alerts)
    told, name = msgspec.json.decode(wait_for(out))
    assert (told["kind"], told["state"], told["session"]) == ("state", "finished", "s")
    assert name == "finished"


def test_text_of_a_transcript_is_never_run(tmp_path: Path) -> None:
    out, evil = tmp_path / "out", tmp_path / "evil"
    alerts = Alerts(parse_conditions(["/./"]), f'echo "$BOUGH_TEXT" > {out}', bell=False)

    alerts.handle_events([event("text", f"$(touch {evil}); `touch {evil}`; touch {evil}")])

    ended(alerts)
    assert "touch" in wait_for(out)
    assert not evil.exists()


def test_slow_commands_do_not_pile_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alerts = Alerts(parse_conditions(()), "sleep 5", bell=False)

    alerts.handle_events([state(SessionState.FINISHED)] * 20)

    running = running_of(alerts)
    assert len(running) == 4
    assert "some events pass without it" in capsys.readouterr().err
    for child in running:
        child.kill()
        child.wait()


def test_a_command_that_fails_stops_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    alerts = Alerts(parse_conditions(()), "exit 3", bell=False)

    alerts.handle_events([state(SessionState.FINISHED)])
    ended(alerts)
    alerts.handle_events([])

    assert running_of(alerts) == []


def test_without_a_command_and_a_bell_nothing_happens() -> None:
    Alerts(parse_conditions(()), None, bell=False).handle_events([state(SessionState.FINISHED)])


def test_the_bell_rings_only_on_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    Alerts(parse_conditions(()), None, bell=True).handle_events([state(SessionState.FINISHED)])

    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")
