"""Other places: a Windows machine, notes in Japanese and Russian, and clients of long ago."""

from bough.sample.builder.session import SampleSession
from bough.sample.data import blocks
from bough.sample.data.tool_results import SampleCall
from bough.sample.demo.repository_files import ORCHARD as FILES
from bough.sample.demo.toolkit import ToolKit
from bough.sample.demo.turns import TurnBudget, make_messages, write_turn
from bough.sample.demo.world import (
    DOTFILES,
    FIELD_NOTES,
    ORCHARD,
    TIDE_TABLE,
    DemoCalendar,
    begin_session,
)

OPUS_4_5 = "claude-opus-4-5-20251101"
SONNET_4_5 = "claude-sonnet-4-5-20250929"


def sessions(calendar: DemoCalendar) -> list[SampleSession]:
    """Give the sessions of the other places."""
    return [
        _make_tides(calendar),
        _make_tide_colours(calendar),
        _make_translation(calendar),
        _make_letters(calendar),
        _make_progress_records(calendar),
        _make_summaries(calendar),
        _make_flat_agents(calendar),
        *_make_first_client(calendar),
        _make_boundary(calendar),
        _make_damaged_file(calendar),
    ]


def _make_tides(calendar: DemoCalendar) -> SampleSession:
    """Work on Windows, from the editor, where paths have drives."""
    book = begin_session(
        "tides",
        calendar.days_ago(5, "08:20"),
        cwd=TIDE_TABLE,
        version="2.1.220",
        entrypoint="claude-vscode",
        branch="main",
    )
    book.ai_title("Tides for the next seven days")
    book.ide_prompt("The table shows yesterday's tides", f"{TIDE_TABLE}\\Tides.cs")
    clock = "Thursday, 08:21"
    book.tool("PowerShell", {"command": "Get-Date"}, clock, seconds=0.6)
    book.tool("Read", {"file_path": f"{TIDE_TABLE}\\Tides.cs"}, "1\tvar day = DateTime.UtcNow;")
    book.assistant("It takes the day in UTC. At the coast it is already tomorrow by then.")
    write_turn(book, "Fix it", "Done: the day of the harbour's own zone.", TurnBudget(0.21))
    return book


def _make_tide_colours(calendar: DemoCalendar) -> SampleSession:
    """Open the same project with another spelling of the drive: a folder of its own."""
    book = begin_session(
        "tide-colours",
        calendar.days_ago(7, "19:45"),
        cwd=TIDE_TABLE,
        version="2.1.79",
        entrypoint="claude-vscode",
        project="c--Users-dev-source-tide-table",
        model="claude-sonnet-4-6",
    )
    book.user("Colour high tide blue", name="colour").assistant("Done.", name="done")
    # A client of this age hung the next prompt on a hook that was late.
    book.at("colour").hook("Stop", "lint.cmd").user("And low tide grey").assistant("Done.")
    return book


def _make_translation(calendar: DemoCalendar) -> SampleSession:
    """Write in Japanese."""
    book = begin_session(
        "translation", calendar.days_ago(11, "21:10"), cwd=FIELD_NOTES, branch="HEAD"
    )
    book.ai_title("観察ノートの翻訳")
    write_turn(
        book,
        "このページを日本語に訳してください。鳥の名前は英語のまま残してください。",
        "訳しました。「The heron waits」は「Heron は待つ」としました。",
        TurnBudget(0.18),
    )
    write_turn(book, "もう少し短く", "短くしました。", TurnBudget(0.05))
    return book


def _make_letters(calendar: DemoCalendar) -> SampleSession:
    """Write in Russian, with a rewind."""
    book = begin_session(
        "letters", calendar.days_ago(13, "12:30"), cwd=FIELD_NOTES, version="2.1.132"
    )
    write_turn(
        book, "Исправь ошибки в письме про журавлей", "Исправлено три опечатки.", TurnBudget(0.09)
    )
    book.name_step("fixed")
    write_turn(book, "Сделай письмо теплее", "Добавлены две фразы в начале.", TurnBudget(0.06))
    book.at("fixed")
    write_turn(book, "Сделай письмо короче", "Письмо стало вдвое короче.", TurnBudget(0.06))
    return book


def _make_progress_records(calendar: DemoCalendar) -> SampleSession:
    """Use a client that wrote down all progress in the chain itself."""
    desk = ToolKit(ORCHARD, FILES)
    book = begin_session(
        "progress", calendar.days_ago(60, "10:00"), version="2.1.36", model=OPUS_4_5
    )
    book.hook("SessionStart", "scripts/hello.sh", tool="startup")
    book.snapshot("missing").user("Search for the missing orders of May", name="missing")
    call = desk.bash("make search", "3 orders found", seconds=6)
    tool_id = book.ask(call)
    book.hook("PreToolUse", "guard.py", tool="Bash")
    book.bash_progress(tool_id, "reading April", "reading May").reply(tool_id, call)
    asked = SampleCall(
        tool="mcp__tickets__find", given={"text": "May"}, result=[blocks.text("318")]
    )
    tool_id = book.ask(asked)
    book.mcp_progress(tool_id, "tickets", "find").reply(tool_id, asked)
    searched = SampleCall(tool="WebSearch", given={"query": "lost orders"}, result="2 results")
    tool_id = book.ask(searched)
    book.progress("query_update", {"query": "lost orders"}, tool_id=tool_id)
    found = {"resultCount": 2, "query": "lost orders"}
    book.progress("search_results_received", found, tool_id=tool_id).reply(tool_id, searched)
    waited = SampleCall(tool="TaskOutput", given={"task_id": "b1"}, result="done")
    tool_id = book.ask(waited)
    about = {"taskDescription": "Read the log", "taskType": "local_bash"}
    book.progress("waiting_for_task", about, tool_id=tool_id).reply(tool_id, waited)
    book.agent(
        "Explore",
        "look for other months",
        answer="Only May is hit.",
        echoed=True,
        work=lambda agent: agent.tools(desk.grep("May")),
    )
    book.assistant("Three orders of May were written to the archive by mistake.")
    book.stop_hooks("scripts/lint.sh").turn_duration(41).bridge_status()
    book.side_agent("acompact", "Your task is to create a detailed summary", "May was searched.")
    return book


def _make_summaries(calendar: DemoCalendar) -> SampleSession:
    """Use a client that forgot old tool results and wrote titles as summaries."""
    desk = ToolKit(ORCHARD, FILES)
    book = begin_session(
        "summaries", calendar.days_ago(75, "16:00"), version="2.1.17", model=OPUS_4_5
    )
    write_turn(
        book,
        "Tidy the names in the reader",
        make_messages(desk.survey(4), "Done."),
        TurnBudget(0.3),
    )
    book.microcompact("toolu_01a", "toolu_01b")
    write_turn(book, "And in the job", make_messages(desk.survey(2), "Done."), TurnBudget(0.2))
    book.summary("Tidy the names of the import", book.cursor)
    return book


def _make_flat_agents(calendar: DemoCalendar) -> SampleSession:
    """Use a client that put agents beside the sessions."""
    desk = ToolKit(ORCHARD, FILES)
    book = begin_session(
        "flat", calendar.days_ago(120, "11:11"), version="2.0.76", model=SONNET_4_5
    )
    book.warmup().user("Write a test for the reader")
    todo = {"content": "Write the test", "status": "in_progress", "activeForm": "Writing"}
    book.tool("TodoWrite", {"todos": [todo]}, "Todos have been modified successfully.")
    book.agent(
        "Explore",
        "find the tests",
        answer="One test of the job, none of the reader.",
        work=lambda agent: agent.tools(desk.glob("**/*.py")),
    )
    book.tools(desk.write("tests/import/test_reader.py", "def test_rows(): ...\n"))
    book.assistant("Written, with a broken row and an empty file.")
    book.title("")
    return book


def _make_first_client(calendar: DemoCalendar) -> list[SampleSession]:
    """Use the oldest client: agents in the file itself, resume by copying everything."""
    book = begin_session(
        "first",
        calendar.days_ago(400, "20:00"),
        cwd=DOTFILES,
        version="1.0.51",
        model="claude-sonnet-4-20250514",
    )
    book.summary("Shell prompt with the branch", "00000000-0000-4000-8000-000000000001")
    book.command("init", "", "Created CLAUDE.md")
    book.user("Show the git branch in my prompt").agent(
        "general-purpose", "read the shell files", answer="The prompt is set in .zshrc."
    )
    book.tool("Edit", {"file_path": ".zshrc", "old_string": "%~", "new_string": "%~ %b"}, "ok")
    book.assistant("The branch is shown after the path.")
    book.shell("source ~/.zshrc").system(None, content="Shell reloaded", level="info")
    book.compact("Summary:\nThe prompt shows the branch.")
    book.user("Only inside a repository").assistant("Done.")
    later = book.resume_in_new_file(moment=calendar.days_ago(398, "21:30"))
    later.user("In grey, please").assistant("Grey it is.")
    return [book, later]


def _make_boundary(calendar: DemoCalendar) -> SampleSession:
    """Compact with a client that marked the place for the first time."""
    book = begin_session(
        "boundary",
        calendar.days_ago(330, "18:00"),
        cwd=DOTFILES,
        version="1.0.128",
        model="claude-opus-4-1-20250805",
    )
    book.hook_text("session-start-hook", "Remember: macOS and Linux")
    book.user("Sort my aliases").assistant("Sorted, 48 of them.").compact(trigger="manual")
    book.hook("SessionStart", "echo hello", tool="compact", words="hello")
    book.command("compact", "", "Compacted. ctrl+r to see full summary")
    book.user("Which are never used?").assistant("Eleven; the history never names them.")
    return book


def _make_damaged_file(calendar: DemoCalendar) -> SampleSession:
    """Meet what goes wrong in files, and kinds of records nobody knows yet."""
    book = begin_session("damaged", calendar.days_ago(2, "23:50"), version="2.1.400")
    book.ai_title("Clean up after the power cut")
    book.user("Is anything lost after the power cut?", name="ask")
    book.unknown("frame-link", frame="f1", url="https://example.com/f1").unknown("pulse", beat=1)
    book.assistant("Two temporary files are left; the data is whole.", name="whole")
    book.user("Remove them").split(90).nul(32)
    book.at_missing("lost").assistant("Removed both.").again("whole").at(-1)
    book.user("Thanks").assistant("The shop is open again.").tear_line()
    return book
