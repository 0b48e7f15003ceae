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
    builder = begin_session(
        "tides",
        calendar.days_ago(5, "08:20"),
        cwd=TIDE_TABLE,
        version="2.1.220",
        entrypoint="claude-vscode",
        branch="main",
    )
    builder.ai_title("Tides for the next seven days")
    builder.ide_prompt("The table shows yesterday's tides", f"{TIDE_TABLE}\\Tides.cs")
    clock = "Thursday, 08:21"
    builder.tool("PowerShell", {"command": "Get-Date"}, clock, seconds=0.6)
    builder.tool("Read", {"file_path": f"{TIDE_TABLE}\\Tides.cs"}, "1\tvar day = DateTime.UtcNow;")
    builder.assistant("It takes the day in UTC. At the coast it is already tomorrow by then.")
    write_turn(builder, "Fix it", "Done: the day of the harbour's own zone.", TurnBudget(0.21))
    return builder


def _make_tide_colours(calendar: DemoCalendar) -> SampleSession:
    """Open the same project with another spelling of the drive: a folder of its own."""
    builder = begin_session(
        "tide-colours",
        calendar.days_ago(7, "19:45"),
        cwd=TIDE_TABLE,
        version="2.1.79",
        entrypoint="claude-vscode",
        project="c--Users-dev-source-tide-table",
        model="claude-sonnet-4-6",
    )
    builder.user("Colour high tide blue", name="colour").assistant("Done.", name="done")
    # A client of this age hung the next prompt on a hook that was late.
    builder.at("colour").hook("Stop", "lint.cmd").user("And low tide grey").assistant("Done.")
    return builder


def _make_translation(calendar: DemoCalendar) -> SampleSession:
    """Write in Japanese."""
    builder = begin_session(
        "translation", calendar.days_ago(11, "21:10"), cwd=FIELD_NOTES, branch="HEAD"
    )
    builder.ai_title("観察ノートの翻訳")
    write_turn(
        builder,
        "このページを日本語に訳してください。鳥の名前は英語のまま残してください。",
        "訳しました。「The heron waits」は「Heron は待つ」としました。",
        TurnBudget(0.18),
    )
    write_turn(builder, "もう少し短く", "短くしました。", TurnBudget(0.05))
    return builder


def _make_letters(calendar: DemoCalendar) -> SampleSession:
    """Write in Russian, with a rewind."""
    builder = begin_session(
        "letters", calendar.days_ago(13, "12:30"), cwd=FIELD_NOTES, version="2.1.132"
    )
    write_turn(
        builder,
        "Исправь ошибки в письме про журавлей",
        "Исправлено три опечатки.",
        TurnBudget(0.09),
    )
    builder.name_step("fixed")
    write_turn(builder, "Сделай письмо теплее", "Добавлены две фразы в начале.", TurnBudget(0.06))
    builder.at("fixed")
    write_turn(builder, "Сделай письмо короче", "Письмо стало вдвое короче.", TurnBudget(0.06))
    return builder


def _make_progress_records(calendar: DemoCalendar) -> SampleSession:
    """Use a client that wrote down all progress in the chain itself."""
    toolkit = ToolKit(ORCHARD, FILES)
    builder = begin_session(
        "progress", calendar.days_ago(60, "10:00"), version="2.1.36", model=OPUS_4_5
    )
    builder.hook("SessionStart", "scripts/hello.sh", tool="startup")
    builder.snapshot("missing").user("Search for the missing orders of May", name="missing")
    call = toolkit.bash("make search", "3 orders found", seconds=6)
    tool_id = builder.ask(call)
    builder.hook("PreToolUse", "guard.py", tool="Bash")
    builder.bash_progress(tool_id, "reading April", "reading May").reply(tool_id, call)
    asked = SampleCall(
        tool="mcp__tickets__find", given={"text": "May"}, result=[blocks.text("318")]
    )
    tool_id = builder.ask(asked)
    builder.mcp_progress(tool_id, "tickets", "find").reply(tool_id, asked)
    searched = SampleCall(tool="WebSearch", given={"query": "lost orders"}, result="2 results")
    tool_id = builder.ask(searched)
    builder.progress("query_update", {"query": "lost orders"}, tool_id=tool_id)
    found = {"resultCount": 2, "query": "lost orders"}
    builder.progress("search_results_received", found, tool_id=tool_id).reply(tool_id, searched)
    waited = SampleCall(tool="TaskOutput", given={"task_id": "b1"}, result="done")
    tool_id = builder.ask(waited)
    about = {"taskDescription": "Read the log", "taskType": "local_bash"}
    builder.progress("waiting_for_task", about, tool_id=tool_id).reply(tool_id, waited)
    builder.agent(
        "Explore",
        "look for other months",
        answer="Only May is hit.",
        echoed=True,
        work=lambda agent: agent.tools(toolkit.grep("May")),
    )
    builder.assistant("Three orders of May were written to the archive by mistake.")
    builder.stop_hooks("scripts/lint.sh").turn_duration(41).bridge_status()
    builder.side_agent("acompact", "Your task is to create a detailed summary", "May was searched.")
    return builder


def _make_summaries(calendar: DemoCalendar) -> SampleSession:
    """Use a client that forgot old tool results and wrote titles as summaries."""
    toolkit = ToolKit(ORCHARD, FILES)
    builder = begin_session(
        "summaries", calendar.days_ago(75, "16:00"), version="2.1.17", model=OPUS_4_5
    )
    write_turn(
        builder,
        "Tidy the names in the reader",
        make_messages(toolkit.survey(4), "Done."),
        TurnBudget(0.3),
    )
    builder.microcompact("toolu_01a", "toolu_01b")
    write_turn(
        builder, "And in the job", make_messages(toolkit.survey(2), "Done."), TurnBudget(0.2)
    )
    builder.summary("Tidy the names of the import", builder.cursor)
    return builder


def _make_flat_agents(calendar: DemoCalendar) -> SampleSession:
    """Use a client that put agents beside the sessions."""
    toolkit = ToolKit(ORCHARD, FILES)
    builder = begin_session(
        "flat", calendar.days_ago(120, "11:11"), version="2.0.76", model=SONNET_4_5
    )
    builder.warmup().user("Write a test for the reader")
    todo = {"content": "Write the test", "status": "in_progress", "activeForm": "Writing"}
    builder.tool("TodoWrite", {"todos": [todo]}, "Todos have been modified successfully.")
    builder.agent(
        "Explore",
        "find the tests",
        answer="One test of the job, none of the reader.",
        work=lambda agent: agent.tools(toolkit.glob("**/*.py")),
    )
    builder.tools(toolkit.write("tests/import/test_reader.py", "def test_rows(): ...\n"))
    builder.assistant("Written, with a broken row and an empty file.")
    builder.title("")
    return builder


def _make_first_client(calendar: DemoCalendar) -> list[SampleSession]:
    """Use the oldest client: agents in the file itself, resume by copying everything."""
    builder = begin_session(
        "first",
        calendar.days_ago(400, "20:00"),
        cwd=DOTFILES,
        version="1.0.51",
        model="claude-sonnet-4-20250514",
    )
    builder.summary("Shell prompt with the branch", "00000000-0000-4000-8000-000000000001")
    builder.command("init", "", "Created CLAUDE.md")
    builder.user("Show the git branch in my prompt").agent(
        "general-purpose", "read the shell files", answer="The prompt is set in .zshrc."
    )
    builder.tool("Edit", {"file_path": ".zshrc", "old_string": "%~", "new_string": "%~ %b"}, "ok")
    builder.assistant("The branch is shown after the path.")
    builder.shell("source ~/.zshrc").system(None, content="Shell reloaded", level="info")
    builder.compact("Summary:\nThe prompt shows the branch.")
    builder.user("Only inside a repository").assistant("Done.")
    later = builder.resume_in_new_file(moment=calendar.days_ago(398, "21:30"))
    later.user("In grey, please").assistant("Grey it is.")
    return [builder, later]


def _make_boundary(calendar: DemoCalendar) -> SampleSession:
    """Compact with a client that marked the place for the first time."""
    builder = begin_session(
        "boundary",
        calendar.days_ago(330, "18:00"),
        cwd=DOTFILES,
        version="1.0.128",
        model="claude-opus-4-1-20250805",
    )
    builder.hook_text("session-start-hook", "Remember: macOS and Linux")
    builder.user("Sort my aliases").assistant("Sorted, 48 of them.").compact(trigger="manual")
    builder.hook("SessionStart", "echo hello", tool="compact", words="hello")
    builder.command("compact", "", "Compacted. ctrl+r to see full summary")
    builder.user("Which are never used?").assistant("Eleven; the history never names them.")
    return builder


def _make_damaged_file(calendar: DemoCalendar) -> SampleSession:
    """Meet what goes wrong in files, and kinds of records nobody knows yet."""
    builder = begin_session("damaged", calendar.days_ago(2, "23:50"), version="2.1.400")
    builder.ai_title("Clean up after the power cut")
    builder.user("Is anything lost after the power cut?", name="ask")
    builder.unknown("frame-link", frame="f1", url="https://example.com/f1").unknown("pulse", beat=1)
    builder.assistant("Two temporary files are left; the data is whole.", name="whole")
    builder.user("Remove them").split(90).nul(32)
    builder.at_missing("lost").assistant("Removed both.").again("whole").at(-1)
    builder.user("Thanks").assistant("The shop is open again.").tear_line()
    return builder
