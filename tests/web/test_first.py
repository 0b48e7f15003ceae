"""The first run: nothing is read before the person says so."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import expect

from bough.sample.demo import write_demo
from tests.web.conftest import Opened
from tests.web.serving import Served
from tests.web.watching import CUT

Keep = Callable[..., None]


@pytest.fixture
def untouched(tmp_path: Path, nobodys_home: Path) -> Iterator[Served]:
    """Serve a history that nobody has said yes to."""
    claude = write_demo(tmp_path, datetime.now(UTC))
    with Served(claude, tmp_path, ready=False) as server:
        yield server


def test_the_first_run_says_what_there_is_and_warns_before_reading(
    opened: Opened, untouched: Served, picture: Keep
) -> None:
    page = opened(untouched, allow=CUT)
    main = page.get_by_role("main")
    expect(main).to_contain_text("31 session files in 8 projects")
    expect(main).to_contain_text("passwords and keys")
    picture(page, "first-run", docs=True)
    assert untouched.get("/api/about")["index"]["state"] == "none"

    page.get_by_role("button", name="Read them").click()

    expect(page.locator(".project-name").first).to_be_visible()
    page.reload()
    expect(page.locator(".project-name").first).to_be_visible()
    untouched.kill()
    untouched.start()
    page.reload()
    expect(page.locator(".project-name").first).to_be_visible()


def test_a_machine_without_a_claude_folder_says_where_it_looked(
    opened: Opened, tmp_path: Path, nobodys_home: Path
) -> None:
    nowhere = tmp_path / "nowhere"
    with Served(nowhere, tmp_path, ready=False) as server:
        page = opened(server)

        expect(page.get_by_role("main")).to_contain_text("No Claude folder at")
        expect(page.get_by_role("main")).to_contain_text("~/nowhere")
        expect(page.get_by_role("main")).to_contain_text("bough demo")
