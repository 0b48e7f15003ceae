"""The page of a team: nothing of one machine is offered, and what is pushed comes by itself."""

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import uvicorn
from msgspec import Struct
from playwright.sync_api import Browser, Page, expect

from bough.library import AnnotationChange, change_team_note
from bough.store.postgres.server_connection import ServerConnection
from bough.store.postgres.team_members import share_project
from bough.web.server import make_server_config, open_socket
from bough.web.team import push_updates
from bough.web.team.open_gate import open_gate
from bough.web.team.team_app import make_team_app
from tests.team_people import WEB, People, Sent, team_of
from tests.team_server import TeamServer


class PagedTeam(Struct):
    """A team whose page is served."""

    people: People
    folder: Path
    sent: dict[str, Sent]
    address: str


@pytest.fixture(scope="module")
def team(
    team_server: TeamServer, tmp_path_factory: pytest.TempPathFactory, nobodys_home: object
) -> Iterator[PagedTeam]:
    """Serve a team of two, one of whom shares a project with the other."""
    with team_of(team_server) as people, pytest.MonkeyPatch.context() as patch:
        patch.setattr(push_updates, "LOOK_EVERY", 0.3)
        folder = tmp_path_factory.mktemp("people")
        sent = {}
        for name in ("ann", "ben"):
            people.add(name)
            (folder / name / "projects").mkdir(parents=True)
            sent[name] = people.send(name, folder / name, [f"{name}s-orchard"])[0]
        with closing(ServerConnection(people.url_of("ben"))) as connection:
            share_project(connection, "bens-orchard", "ann", "read")
        gate, _ = open_gate(people.url_of(WEB), "127.0.0.1")
        sock = open_socket("127.0.0.1", 0)
        server = uvicorn.Server(make_server_config(make_team_app(gate), most_connections=None))
        thread = threading.Thread(target=lambda: server.run(sockets=[sock]), daemon=True)
        thread.start()
        yield PagedTeam(people, folder, sent, f"http://127.0.0.1:{sock.getsockname()[1]}")
        server.should_exit = True
        thread.join(20)


@pytest.fixture
def page(team: PagedTeam, browser: Browser) -> Iterator[Page]:
    """Come in as ann."""
    with closing(browser.new_page(viewport={"width": 1440, "height": 900})) as page:
        page.goto(f"{team.address}/login")
        page.get_by_label("Token").fill(team.people.tokens["ann"])
        page.get_by_role("button", name="Come in").click()
        expect(page.get_by_role("heading", name="Home")).to_be_visible()
        yield page


def test_a_team_is_offered_nothing_of_one_machine(team: PagedTeam, page: Page) -> None:
    bar = page.get_by_role("banner")
    expect(bar.get_by_text("ann", exact=True)).to_be_visible()
    for name in ("Live", "Archive", "Settings"):
        expect(bar.get_by_role("link", name=name)).to_have_count(0)
    page.keyboard.press("4")
    page.keyboard.press("?")
    keys = page.get_by_role("dialog")
    expect(keys.get_by_text("Go to Usage")).to_be_visible()
    expect(keys.get_by_text("Go to Live")).to_have_count(0)
    expect(keys.get_by_text("Undo the last change")).to_have_count(0)
    page.goto(f"{team.address}/settings")
    expect(page.get_by_text("this is the history of a team")).to_be_visible()


def test_a_team_sees_whose_sessions_are_and_fetches_them(team: PagedTeam, page: Page) -> None:
    page.goto(f"{team.address}/sessions")
    rows = page.locator("tr.session")
    expect(rows).to_have_count(2)
    page.get_by_label("Owner").select_option("ben")
    expect(rows).to_have_count(1)
    expect(rows.locator(".owner")).to_have_text("ben")
    expect(rows.locator(".machine")).to_have_text("bens-laptop")
    rows.get_by_role("link").first.click()
    expect(page.get_by_text("of ben, on bens-laptop")).to_be_visible()
    expect(page.get_by_role("button", name="Copy pull")).to_be_visible()
    page.get_by_role("button", name="More", exact=True).click()
    expect(page.get_by_role("menuitem", name="Export")).to_be_visible()
    expect(page.get_by_role("menuitem", name="Fork")).to_have_count(0)


@pytest.mark.whole
def test_stars_and_notes_are_ones_own_and_those_of_others_come_by_themselves(
    team: PagedTeam, page: Page
) -> None:
    page.goto(f"{team.address}/s/{team.sent['ben'].session}")
    star = page.get_by_role("button", name="Star this session")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    change = AnnotationChange(note="Read this first")
    with team.people.store("ben") as store:
        path = next(row.path for row in store.sessions() if row.id == team.sent["ben"].session)
    change_team_note(team.people.url_of("ben"), path, "", change)
    expect(page.get_by_text("ben: Read this first")).to_be_visible()
    page.reload()
    expect(star).to_have_attribute("aria-pressed", "true")


def test_what_is_pushed_comes_to_an_open_page(team: PagedTeam, page: Page) -> None:
    page.goto(f"{team.address}/sessions")
    expect(page.locator("tr.session")).to_have_count(2)
    team.people.send("ann", team.folder / "ann", ["anns-meadow"])
    expect(page.locator("tr.session")).to_have_count(3)


def test_who_logs_out_is_outside(team: PagedTeam, page: Page) -> None:
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_label("Token")).to_be_visible()
    page.goto(f"{team.address}/sessions")
    expect(page.get_by_label("Token")).to_be_visible()
