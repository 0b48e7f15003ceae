"""All sessions are looked through in the background, and only what changed is read again."""

import time
from pathlib import Path

from bough.sample import session
from bough.web.runtime.health_check import HealthCheck, HealthSnapshot


def finished(check: HealthCheck) -> HealthSnapshot:
    end = time.monotonic() + 30
    while check.snapshot().state == "running":
        assert time.monotonic() < end, "the check never ended"
        time.sleep(0.01)
    return check.snapshot()


def test_nothing_is_looked_at_before_it_is_asked(tmp_path: Path) -> None:
    found = HealthCheck(lambda: [tmp_path / "x.jsonl"]).snapshot()

    assert (found.state, found.total, list(found.found)) == ("none", 0, [])


def test_findings_come_in_the_order_of_the_files(tmp_path: Path) -> None:
    sound = session("sound").user("a").assistant("b").write(tmp_path)
    torn = session("torn").user("a").assistant("b").user("c").tear_line().write(tmp_path)
    check = HealthCheck(lambda: [torn, sound, tmp_path / "gone.jsonl"])

    check.start()
    found = finished(check)

    assert (found.state, found.checked, found.total) == ("ready", 3, 3)
    assert [bool(one.findings) for one in found.found] == [True, False, False]
    assert [bool(one.trouble) for one in found.found] == [False, False, True]


def test_a_file_that_is_mended_is_read_again_and_the_rest_is_known(tmp_path: Path) -> None:
    sound = session("sound").user("a").assistant("b").write(tmp_path)
    torn = session("torn").user("a").assistant("b").user("c").tear_line().write(tmp_path)
    check = HealthCheck(lambda: [torn, sound])
    check.start()
    before = finished(check)
    data = torn.read_bytes()
    torn.write_bytes(data[: data.rstrip(b"\n").rfind(b"\n") + 1])

    check.start()
    after = finished(check)

    assert before.found[0].findings
    assert not after.found[0].findings
    assert after.found[1] is before.found[1]
