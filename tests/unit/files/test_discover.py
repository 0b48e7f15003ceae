import errno
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bough.errors import ClaudeFolderNotFound, Unreadable
from bough.files.discover import (
    ProjectFiles,
    SessionFiles,
    discover_projects,
    encode_cwd,
    find_claude_folders,
)
from tests.conftest import Home

ID = "3f9c21d0-5563-49ea-b703-6a002f2d3cc8"


def only(home: Home) -> ProjectFiles:
    (project,) = discover_projects(home.path)
    return project


def only_session(home: Home) -> SessionFiles:
    (session,) = only(home).sessions
    return session


class TestProjects:
    def test_a_folder_below_projects_is_a_project(self, home: Home) -> None:
        home.add("-home-dev-shop/a.jsonl")
        home.add("-home-dev-lamp/b.jsonl")

        found = list(discover_projects(home.path))

        assert [project.dir for project in found] == ["-home-dev-lamp", "-home-dev-shop"]
        assert found[0].path == home.projects / "-home-dev-lamp"

    def test_a_file_below_projects_is_none(self, home: Home) -> None:
        home.add(".DS_Store")

        assert list(discover_projects(home.path)) == []

    def test_an_empty_folder_is_a_project_without_sessions(self, home: Home) -> None:
        with home.writing():
            (home.projects / "-a").mkdir()

        assert only(home) == ProjectFiles("-a", str(home.projects / "-a"))

    def test_a_linked_folder_is_followed(self, home: Home, tmp_path: Path) -> None:
        (tmp_path / "moved").mkdir()
        (tmp_path / "moved" / "a.jsonl").touch()
        with home.writing():
            (home.projects / "-a").symlink_to(tmp_path / "moved")

        assert only_session(home).path == home.projects / "-a" / "a.jsonl"

    def test_two_names_of_one_folder_are_one_project(self, home: Home) -> None:
        home.add("-b/a.jsonl")
        with home.writing():
            (home.projects / "-a").symlink_to(home.projects / "-b")

        assert only(home).dir == "-b"

    def test_links_that_lead_upwards_are_no_projects(self, home: Home) -> None:
        home.add("-a/a.jsonl")
        with home.writing():
            (home.projects / "up").symlink_to(home.projects)
            (home.projects / "top").symlink_to(home.path)
            (home.path / "history.jsonl").touch()

        assert only(home).dir == "-a"

    def test_a_broken_link_is_a_problem_and_the_rest_is_listed(self, home: Home) -> None:
        home.add("-b/a.jsonl")
        with home.writing():
            (home.projects / "-a").symlink_to("nowhere")

        broken, sound = discover_projects(home.path)

        (problem,) = broken.problems
        assert problem.path == home.projects / "-a"
        assert problem.reason == "-a is a link to something that is not there."
        assert [session.id for session in sound.sessions] == ["a"]

    def test_a_link_to_itself_is_a_problem(self, home: Home) -> None:
        with home.writing():
            (home.projects / "-a").symlink_to(home.projects / "-a")

        (problem,) = only(home).problems

        assert problem.reason == "Cannot read -a: its link leads back to itself."

    def test_a_closed_folder_is_a_problem_and_the_rest_is_listed(
        self, home: Home, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        home.add("-a/a.jsonl")
        home.add("-b/b.jsonl")
        close(monkeypatch, home.projects / "-a")

        closed, open_ = discover_projects(home.path)

        assert [problem.reason for problem in closed.problems] == [
            "Cannot read -a: permission denied."
        ]
        assert [session.id for session in open_.sessions] == ["b"]


class TestSessions:
    def test_a_jsonl_file_is_a_session_named_by_its_file(self, home: Home) -> None:
        path = home.add(f"-a/{ID}.jsonl", b"{}\n")
        with home.writing():
            os.utime(path, ns=(1_000, 2_000))

        assert only_session(home) == SessionFiles(ID, str(path), size=3, mtime_ns=2_000)

    @pytest.mark.parametrize(
        "name",
        [
            "sessions-index.json",
            "a.jsonl.backup",
            "notes.txt",
            "._a.jsonl",
            ".jsonl",
            "memory/MEMORY.md",
            "memory/workflows/x.json",
            "other/notes.jsonl",
        ],
    )
    def test_other_files_are_none(self, home: Home, name: str) -> None:
        home.add(f"-a/{name}")

        assert only(home) == ProjectFiles("-a", str(home.projects / "-a"))

    def test_a_folder_with_a_sessions_name_is_a_problem(self, home: Home) -> None:
        home.add("-a/b.jsonl")
        with home.writing():
            (home.projects / "-a" / "x.jsonl").mkdir()

        project = only(home)

        assert [problem.reason for problem in project.problems] == [
            "x.jsonl is a folder, so it holds no lines."
        ]
        assert [session.id for session in project.sessions] == ["b"]

    @pytest.mark.skipif(os.name == "nt", reason="Windows has no named pipes in folders")
    def test_a_pipe_with_a_sessions_name_is_a_problem(self, home: Home) -> None:
        home.add("-a/b.jsonl")
        with home.writing():
            os.mkfifo(home.projects / "-a" / "x.jsonl")

        (problem,) = only(home).problems

        assert problem.reason == "x.jsonl is no ordinary file, so it holds no lines."

    def test_a_broken_link_is_a_problem(self, home: Home) -> None:
        home.add("-a/b.jsonl")
        with home.writing():
            (home.projects / "-a" / "x.jsonl").symlink_to("nowhere")

        project = only(home)

        assert [problem.reason for problem in project.problems] == [
            "x.jsonl is a link to something that is not there."
        ]
        assert [session.id for session in project.sessions] == ["b"]

    def test_a_linked_file_is_a_session(self, home: Home, tmp_path: Path) -> None:
        (tmp_path / "kept.jsonl").write_bytes(b"{}\n")
        home.add("-a/b.jsonl")
        with home.writing():
            (home.projects / "-a" / "x.jsonl").symlink_to(tmp_path / "kept.jsonl")

        assert [session.size for session in only(home).sessions] == [0, 3]

    def test_a_file_that_vanishes_while_listing_is_a_problem(
        self, home: Home, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        home.add("-a/a.jsonl")
        home.add("-a/b.jsonl")
        stat = os.stat

        def vanished(path: str, **options: bool) -> os.stat_result:
            if str(path).endswith("a.jsonl"):
                raise FileNotFoundError(errno.ENOENT, "No such file or directory")
            return stat(path, **options)

        monkeypatch.setattr(os, "stat", vanished)

        project = only(home)

        assert [problem.reason for problem in project.problems] == [
            "a.jsonl vanished while its folder was listed."
        ]
        assert [session.id for session in project.sessions] == ["b"]


class TestCompanions:
    def test_tool_results_and_a_sidecar_title_are_found(self, home: Home) -> None:
        home.add(f"-a/{ID}.jsonl")
        result = home.add(f"-a/{ID}/tool-results/toolu_1.txt")
        title = home.add(f"-a/{ID}/custom-title.json", b"{}")

        session = only_session(home)

        assert session.tool_results == result.parent
        assert session.custom_title == title

    def test_agents_lie_below_subagents_with_their_meta_files(self, home: Home) -> None:
        home.add(f"-a/{ID}.jsonl")
        first = home.add(f"-a/{ID}/subagents/agent-a1.jsonl", b"{}\n")
        meta = home.add(f"-a/{ID}/subagents/agent-a1.meta.json", b"{}")
        home.add(f"-a/{ID}/subagents/agent-acompact-b2.jsonl")

        one, two = only_session(home).agents

        assert (one.id, one.path, one.meta, one.size) == ("a1", first, meta, 3)
        assert (two.id, two.meta) == ("acompact-b2", None)
        assert {one.layout, two.layout} == {"subagents"}

    def test_agents_are_found_at_any_depth(self, home: Home) -> None:
        home.add(f"-a/{ID}.jsonl")
        home.add(f"-a/{ID}/subagents/x/y/z/agent-a1.jsonl")

        (agent,) = only_session(home).agents

        assert (agent.id, agent.layout, agent.run) == ("a1", "subagents", None)

    def test_agents_of_a_workflow_know_their_run(self, home: Home) -> None:
        home.add(f"-a/{ID}.jsonl")
        home.add(f"-a/{ID}/subagents/workflows/wf_1/agent-a1.jsonl")
        home.add(f"-a/{ID}/subagents/workflows/wf_1/deep/agent-a2.jsonl")
        journal = home.add(f"-a/{ID}/subagents/workflows/wf_1/journal.jsonl")
        report = home.add(f"-a/{ID}/workflows/wf_1.json")
        home.add(f"-a/{ID}/workflows/wf_0.json")

        session = only_session(home)

        assert [(agent.id, agent.layout, agent.run) for agent in session.agents] == [
            ("a1", "workflow", "wf_1"),
            ("a2", "workflow", "wf_1"),
        ]
        other, run = session.workflows
        assert (run.run, run.journal, run.report) == ("wf_1", journal, report)
        assert (other.run, other.journal) == ("wf_0", None)

    def test_agents_beside_the_sessions_belong_to_the_project(self, home: Home) -> None:
        home.add(f"-a/{ID}.jsonl")
        path = home.add("-a/agent-0b1c2d3.jsonl")

        project = only(home)

        assert [session.id for session in project.sessions] == [ID]
        (agent,) = project.loose_agents
        assert (agent.id, agent.path, agent.layout) == ("0b1c2d3", path, "flat")

    def test_companions_without_their_file_are_a_husk(self, home: Home) -> None:
        home.add(f"-a/{ID}/tool-results/toolu_1.txt")
        with home.writing():
            os.utime(home.projects / "-a" / ID, ns=(1_000, 2_000))

        husk = only_session(home)

        assert (husk.id, husk.path, husk.size, husk.mtime_ns) == (ID, None, 0, 2_000)
        assert husk.tool_results is not None

    def test_an_empty_folder_is_no_husk(self, home: Home) -> None:
        with home.writing():
            (home.projects / "-a" / ID).mkdir(parents=True)

        assert only(home).sessions == ()

    def test_a_closed_companion_folder_costs_only_itself(
        self, home: Home, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        home.add(f"-a/{ID}.jsonl")
        home.add(f"-a/{ID}/tool-results/toolu_1.txt")
        home.add(f"-a/{ID}/subagents/agent-a1.jsonl")
        close(monkeypatch, home.projects / "-a" / ID / "subagents")

        project = only(home)

        assert [problem.reason for problem in project.problems] == [
            "Cannot read subagents: permission denied."
        ]
        assert project.sessions[0].tool_results is not None

    def test_links_to_folders_below_subagents_are_not_followed(self, home: Home) -> None:
        home.add(f"-a/{ID}.jsonl")
        home.add(f"-a/{ID}/subagents/agent-a1.jsonl")
        with home.writing():
            (home.projects / "-a" / ID / "subagents" / "round").symlink_to(home.projects)

        project = only(home)

        assert [agent.id for agent in project.sessions[0].agents] == ["a1"]
        assert "not followed" in project.problems[0].reason

    def test_a_folder_with_an_agents_name_is_a_problem(self, home: Home) -> None:
        home.add(f"-a/{ID}.jsonl")
        home.add(f"-a/{ID}/subagents/agent-a1.jsonl/odd.txt")

        project = only(home)

        assert project.sessions[0].agents == ()
        assert project.problems[0].reason == "agent-a1.jsonl is a folder, so it holds no lines."


class TestClaudeFolder:
    def test_a_missing_one_is_not_found(self, tmp_path: Path) -> None:
        with pytest.raises(ClaudeFolderNotFound, match=r"^No Claude folder at .*nowhere\. Name"):
            discover_projects(tmp_path / "nowhere")

    def test_a_file_in_its_place_is_not_found(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()

        with pytest.raises(ClaudeFolderNotFound):
            discover_projects(tmp_path / "file")

    def test_one_without_projects_is_empty(self, tmp_path: Path) -> None:
        assert list(discover_projects(tmp_path)) == []

    def test_a_file_in_place_of_the_projects_is_unreadable(self, tmp_path: Path) -> None:
        (tmp_path / "projects").touch()

        with pytest.raises(Unreadable, match="projects"):
            discover_projects(tmp_path)

    def test_a_closed_one_is_unreadable(self, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
        close(monkeypatch, home.projects)

        with pytest.raises(Unreadable, match="permission denied"):
            discover_projects(home.path)

    def test_only_those_that_are_there_are_kept(self, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir()

        assert find_claude_folders([tmp_path / "b", tmp_path / "a"]) == (tmp_path / "a",)

    def test_a_home_folder_stands_for_the_claude_folder_in_it(self, tmp_path: Path) -> None:
        (tmp_path / "home" / ".claude" / "projects").mkdir(parents=True)
        own = tmp_path / "own"
        (own / "projects").mkdir(parents=True)
        (own / ".claude" / "projects").mkdir(parents=True)
        project = tmp_path / "project"
        (project / ".claude").mkdir(parents=True)

        found = find_claude_folders([tmp_path / "home", own, project])

        assert found == (tmp_path / "home" / ".claude", own, project)

    def test_where_none_is_there_all_places_are_named(self, tmp_path: Path) -> None:
        with pytest.raises(ClaudeFolderNotFound, match=r"/b or .*/c\."):
            find_claude_folders([tmp_path / "b", tmp_path / "c"])


class TestFolderNames:
    @pytest.mark.parametrize(
        ("cwd", "name"),
        [
            ("/home/dev/my_shop.v2", "-home-dev-my-shop-v2"),
            ("C:\\Users\\A_b", "C--Users-A-b"),
            ("/a//b", "-a--b"),
            ("/UPPER", "-UPPER"),
            ("/é", "--"),
            ("/e\u0301", "-e-"),
            ("/日本", "---"),
            ("/emoji😀x", "-emoji--x"),
            ("/\udcff", "--"),
        ],
    )
    def test_what_is_no_ascii_letter_or_digit_becomes_a_dash(self, cwd: str, name: str) -> None:
        assert encode_cwd(cwd) == name

    def test_two_hundred_characters_are_kept(self) -> None:
        assert encode_cwd("/" + "a" * 199) == "-" + "a" * 199

    @pytest.mark.parametrize(
        ("cwd", "code"),
        [
            ("a" * 201, 1_667_662_817),
            ("/" + "😀" * 120, 949_122_665),
        ],
    )
    def test_longer_names_are_cut_and_marked_with_a_code(self, cwd: str, code: int) -> None:
        name = encode_cwd(cwd)

        assert len(name) > 201
        assert int(name[201:], 36) == code

    def test_the_clients_own_folders_follow_the_rule(self, shared: Path) -> None:
        compared = 0
        for path in shared.glob("client-files/*/*/projects/*/*.jsonl"):
            if cwd := first_cwd(path):
                compared += 1
                assert encode_cwd(cwd) == path.parent.name

        assert compared > 100


def test_all_real_files_are_found_and_none_twice(shared: Path) -> None:
    homes = [shared / "corpus", *shared.glob("client-files/*/*")]

    for claude_dir in homes:
        found = [path for project in discover_projects(claude_dir) for path in transcripts(project)]

        assert len(found) == len(set(found))
        assert set(found) == set((claude_dir / "projects").rglob("*.jsonl"))


def test_the_corpus_has_the_sessions_and_agents_it_is_known_for(shared: Path) -> None:
    projects = list(discover_projects(shared / "corpus"))
    sessions = [session for project in projects for session in project.sessions]
    agents = [agent for session in sessions for agent in session.agents]
    loose = [agent for project in projects for agent in project.loose_agents]

    assert sum(session.path is not None for session in sessions) == 129
    assert len(agents) + len(loose) == 48
    assert sum(agent.meta is not None for agent in agents) == 28
    assert [project.problems for project in projects if project.problems] == []


def transcripts(project: ProjectFiles) -> Iterator[Path]:
    for session in project.sessions:
        if session.path:
            yield session.path
        yield from (agent.path for agent in session.agents)
    yield from (agent.path for agent in project.loose_agents)


def first_cwd(path: Path) -> str | None:
    for line in path.read_bytes().splitlines():
        cwd = msgspec.json.decode(line).get("cwd")
        if isinstance(cwd, str):
            return cwd
    return None


def close(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Deny a folder as the system would; chmod cannot, for root reads everything."""
    scandir = os.scandir

    def denied(path: str | os.PathLike[str]) -> object:
        if Path(path) == folder:
            raise PermissionError(errno.EACCES, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", denied)


class TestTheDesktopApp:
    """Cowork keeps a Claude folder for each of its tasks, deep in the folder of the app."""

    TASK = "local-agent-mode-sessions/account/organisation/local_1"

    @pytest.fixture
    def app(self, tmp_path: Path) -> Path:
        app = tmp_path / "Claude"
        for task in (self.TASK, f"{self.TASK[:-1]}2"):
            project = app / task / ".claude" / "projects" / "-sessions-task"
            project.mkdir(parents=True)
            (project / f"{ID}.jsonl").touch()
            (app / task / "audit.jsonl").touch()
        return app

    def test_its_folder_stands_for_the_claude_folders_of_its_tasks(self, app: Path) -> None:
        found = find_claude_folders([app])

        assert found == (app / self.TASK / ".claude", app / f"{self.TASK[:-1]}2" / ".claude")
        assert [project.dir for one in found for project in discover_projects(one)] == [
            "-sessions-task",
            "-sessions-task",
        ]

    @pytest.mark.parametrize("depth", [1, 2, 3])
    def test_so_does_any_folder_on_the_way_to_its_tasks(self, app: Path, depth: int) -> None:
        place = app.joinpath(*self.TASK.split("/")[:depth])

        assert len(find_claude_folders([place])) == 2

    def test_a_single_task_and_its_claude_folder_may_be_named(self, app: Path) -> None:
        task = app / self.TASK

        assert find_claude_folders([task]) == (task / ".claude",)
        assert find_claude_folders([task / ".claude"]) == (task / ".claude",)

    def test_a_folder_that_is_a_claude_folder_as_well_is_kept(self, app: Path) -> None:
        (app / "projects").mkdir()

        assert find_claude_folders([app])[0] == app
        assert len(find_claude_folders([app, app / self.TASK])) == 3

    def test_without_a_task_there_is_only_the_folder(self, tmp_path: Path) -> None:
        (tmp_path / "local-agent-mode-sessions").mkdir()

        assert find_claude_folders([tmp_path]) == (tmp_path,)
