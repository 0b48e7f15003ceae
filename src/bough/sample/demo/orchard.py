"""What else goes on in the shop: notes for a deploy, tax, a slow query, a new Python."""

from bough.sample.builder.agents import AgentTask
from bough.sample.builder.session import SampleSession
from bough.sample.data import blocks
from bough.sample.data.blocks import Json
from bough.sample.data.ids import uuid_with_prefix
from bough.sample.demo.repository_files import ORCHARD as FILES
from bough.sample.demo.resume_calls import make_unanswered_call
from bough.sample.demo.toolkit import ToolKit
from bough.sample.demo.turns import (
    DemoMessage,
    TurnBudget,
    make_agent_task,
    make_messages,
    write_messages,
    write_turn,
)
from bough.sample.demo.world import ORCHARD, DemoCalendar, begin_session

GUARD = "guard.py"


_HOUR_CACHE_USAGE: Json = {
    "cache_creation_input_tokens": 5_200,
    "cache_read_input_tokens": 31_000,
    "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 5_200},
    "output_tokens": 240,
}


def sessions(calendar: DemoCalendar) -> list[SampleSession]:
    """Give the sessions of the shop's main folder."""
    return [
        _make_deploy_notes(calendar),
        _make_slow_query(calendar),
        _make_new_python(calendar),
        _make_flaky_test(calendar),
        _make_upgrade(calendar),
        _make_morning(calendar),
        _make_changelog(calendar),
        _make_empty_session(calendar),
    ]


def _make_toolkit() -> ToolKit:
    return ToolKit(ORCHARD, FILES)


def _make_deploy_notes(calendar: DemoCalendar) -> SampleSession:
    """Ask before something is shipped: the newest client, and a call that waits for a person."""
    desk = _make_toolkit()
    seed = "deploy-notes"
    book = begin_session(
        seed,
        calendar.minutes_ago(18.7),
        session_id=uuid_with_prefix("a80b77e1", seed),
        version="2.1.325",
        model="claude-opus-5-5",
    )
    book.mode().permission_mode().atis_latch().ai_title("Deploy notes for 2.3")
    book.snapshot().user("Write the deploy notes for 2.3 from what changed since 2.2")
    for kind in ("environment", "model", "session_context", "date", "remote_session_change"):
        book.attachment(kind)
    book.attachment("prompt_snapshot").api_request("Write the deploy notes")
    log = "9f1c2d4 Import goes on where it stopped\n77aa01c Round tax once per refund"
    found = "Eleven changes; two need a migration, one changes a setting."
    search = make_agent_task("read the merged changes", found, desk.survey(4), TurnBudget(0.09, 50))
    calls = [desk.bash("git log --oneline v2.2..", log), desk.glob("migrations/*.py")]
    done = "The notes are in `docs/deploy-2.3.md`: two migrations, one new setting."
    write_messages(
        book,
        [DemoMessage(calls=calls), DemoMessage(agent_tasks=[search]), DemoMessage(done)],
        TurnBudget(0.40, 200),
    )
    book.tools_used("Bash", "Glob", "Agent").turn_duration(200)
    write_turn(
        book, "Say how long the migrations lock the table", "Under a second each.", TurnBudget(0.11)
    )
    write_turn(book, "Add the way back", make_messages(desk.survey(3), "Added."), TurnBudget(0.17))
    book.cost_state(0.77).user("Ship it")
    ship = make_unanswered_call(desk, "make ship")
    write_messages(
        book, [DemoMessage("The checks are green. I ship 2.3 now.", [ship])], TurnBudget(0.11, 20)
    )
    book.last_prompt("Ship it", leaf=book.cursor)
    return book


def _make_slow_query(calendar: DemoCalendar) -> SampleSession:
    """Look at pictures, run into hooks, get an output too large for a line."""
    desk = _make_toolkit()
    book = begin_session("slow-query", calendar.days_ago(1, "10:12"), version="2.1.220")
    book.hook("SessionStart", "scripts/hello.sh", tool="startup", words="Branch main, 3 changes")
    book.permission_mode("acceptEdits").ai_title("The orders page takes nine seconds")
    picture = blocks.image(blocks.draw_png(96, 54))
    book.snapshot("slow", "src/orders.py").user(
        [blocks.text("The orders page takes nine seconds, see the timeline"), picture],
        name="slow",
    )
    book.attachment("opened_file_in_ide").attachment("selected_lines_in_ide")
    book.attachment("hook_additional_context", None)
    book.thinking("Nine seconds in one block looks like one query, not many.")
    book.hook("PreToolUse", GUARD, tool="Bash", outcome="blocking_error", words="no production")
    explain = "\n".join(f"Seq Scan on orders  (rows={n * 1000})" for n in range(400))
    book.big_result("Bash", {"command": "make explain"}, explain)
    book.tool("Read", {"file_path": desk.path("timeline.png")}, [blocks.text("1 image"), picture])
    book.assistant(
        "One sequential scan over 400,000 orders; there is no index on the customer.",
        usage=_HOUR_CACHE_USAGE,
    )
    book.tools(desk.edit("src/tax.py", "CENT = ", "CENT: Decimal = "), desk.grep("index"))
    book.delta(-1, "slow", "src/tax.py")
    book.hook("PostToolUse", "scripts/lint.sh", tool="Edit", words="2 files checked")
    book.hook(
        "PostToolUse",
        "scripts/types.sh",
        tool="Edit",
        outcome="non_blocking_error",
        words="1 error",
    )
    book.attachment("hook_system_message").attachment("edited_text_file")
    book.assistant("With the index the page takes 80 ms. The migration is written, not run.")
    book.stop_hooks("scripts/lint.sh", "scripts/tell.sh", errors=["tell.sh: no network"])
    book.snapshot("slow", "src/orders.py", update=True).turn_duration(214).pr_link(412)
    return book


def _make_new_python(calendar: DemoCalendar) -> SampleSession:
    """Let things run in the background and type while the model works."""
    desk = _make_toolkit()
    book = begin_session(
        "new-python", calendar.days_ago(2, "15:30"), version="2.1.219", branch="chore/python"
    )
    book.title("Move the shop to Python 3.13").agent_name("python-3-13")
    book.user("Move us to Python 3.13. Run the old and the new suite side by side.", name="move")
    book.attachment("task_reminder").attachment("command_permissions").attachment("auto_mode")
    errands = [
        AgentTask(
            kind="general-purpose",
            task=f"run the suite on {version}",
            answer=f"All 243 tests pass on {version}.",
            background=True,
            agent_id=f"a00000000000313{number}",
            work=lambda agent: agent.tools(desk.bash("make test", "243 passed", seconds=70)),
        )
        for number, version in enumerate(("3.12", "3.13"))
    ]
    write_messages(
        book,
        [DemoMessage("Both suites run in the background.", agent_tasks=errands)],
        TurnBudget(0.35, 30),
    )
    book.queued("Also drop the old type aliases", shown="attachment")
    book.queued("and mention it in the changelog", shown="nowhere")
    write_messages(
        book,
        make_messages(desk.survey(6, "TypeVar"), "The aliases are gone."),
        TurnBudget(0.5, 120),
    )
    book.queued("What about the docker image?", shown="prompt")
    write_messages(
        book, make_messages(desk.survey(2), "It builds from 3.13-slim now."), TurnBudget(0.2, 60)
    )
    book.notification("a000000000003131", 'Agent "run the suite on 3.13" completed', "243 passed")
    write_messages(
        book, [DemoMessage("Both suites pass. 3.13 is 11 percent faster.")], TurnBudget(0.1, 12)
    )
    told = "<task-notification>\n<task-id>a000000000003130</task-id>\n</task-notification>"
    book.queue("enqueue", told).queued_command(told, mode="task-notification")
    book.turn_duration(240).last_prompt("What about the docker image?", leaf=book.cursor)
    return book


def _make_flaky_test(calendar: DemoCalendar) -> SampleSession:
    """Be turned away by the API, try again, and get two answers to one prompt."""
    desk = _make_toolkit()
    book = begin_session("flaky", calendar.days_ago(4, "09:05"), version="2.1.150")
    book.ai_title("Why the tax rounding drifts")
    question = "Why does the rounding of tax drift by a cent on refunds?"
    book.user(question).retry(1).retry(2).retry(3)
    book.api_error("API Error: 529 Overloaded", apiErrorStatus=529).wait(90)
    book.user(question, name="why")
    write_messages(
        book,
        make_messages(desk.survey(3, "ROUND"), "It rounds each line of a refund."),
        TurnBudget(0.3),
    )
    book.at("why").wait(40)
    answer = "Each line is rounded by itself; the sum should be rounded once."
    write_messages(book, make_messages([desk.read("src/tax.py")], answer), TurnBudget(0.2))
    book.redacted_thinking().assistant(
        "A refund of three lines can be off by one cent, never by two."
    )
    book.user("Show me one that is off", name="show")
    book.assistant("Three lines of 0.335 at 7 percent, for instance the ", usage={})
    book.interrupt().wait(8)
    write_turn(
        book,
        "Shorter, as a test",
        make_messages([desk.read("src/tax.py")], "Written."),
        TurnBudget(0.14),
    )
    return book


def _make_upgrade(calendar: DemoCalendar) -> SampleSession:
    """Change a prompt after the fact, compact by hand, run commands of the client."""
    desk = _make_toolkit()
    book = begin_session(
        "upgrade", calendar.days_ago(9, "11:40"), version="2.1.112", branch="chore/click"
    )
    write_turn(
        book,
        "Upgrade click",
        make_messages(desk.survey(4, "click"), "Done: 8.1 to 8.3."),
        TurnBudget(0.31),
    )
    book.name_step("done")
    write_turn(
        book,
        "Run the tests",
        make_messages([desk.bash("make test", "ok")], "Green."),
        TurnBudget(0.08),
    )
    book.at("done")
    write_turn(
        book,
        "Run the tests and the linter",
        make_messages(desk.survey(2), "Green."),
        TurnBudget(0.1),
    )
    book.shell("git status --short", " M pyproject.toml").wait(60)
    book.command("model", "opus", "Set model to opus")
    book.compact("Summary:\nclick was upgraded to 8.3; the tests pass.", trigger="manual")
    book.command("compact", "", "Compacted (ctrl+o to see full summary)")
    write_turn(
        book,
        "Commit it",
        make_messages([desk.bash("git commit -am 'Upgrade click'")], "Done."),
        TurnBudget(0.05),
    )
    book.command("cost", "", "Total cost: $0.54", as_system=True)
    book.skill("/release-notes", "", "# Release notes\n\nOne line for each change.")
    write_messages(book, [DemoMessage("- click 8.3")], TurnBudget(0.03))
    return book


def _make_morning(calendar: DemoCalendar) -> SampleSession:
    """Come back the next day to a session left open; search the web, use a skill and a server."""
    desk = _make_toolkit()
    book = begin_session("morning", calendar.days_ago(6, "18:20"), version="2.1.197")
    book.agent_setting("default").ai_title("Ticket 318: orders without a customer")
    for kind in ("mcp_instructions_delta", "nested_memory", "directory", "todo_reminder"):
        book.attachment(kind)
    book.user("Look at ticket 318")
    found = [blocks.tool_reference("mcp__tickets__read")]
    book.tool("ToolSearch", {"query": "select:mcp__tickets__read"}, found)
    book.tool("mcp__tickets__read", {"number": 318}, [blocks.text("Orders without a customer")])
    book.tool("Skill", {"skill": "triage"}, "Launching skill: triage", name="triage")
    book.skill_body(
        "# Triage\n\nSay who is hit, since when, how badly.", "triage", "toolu_01triage"
    )
    book.attachment("invoked_skills").attachment("workflow_keyword_request")
    page = "A left join keeps orders whose customer was deleted."
    book.tool("WebFetch", {"url": "https://example.com/joins", "prompt": "joins"}, page)
    book.tool("WebSearch", {"query": "orphan rows"}, "3 results")
    question = {"question": "Keep the orders?", "options": [{"label": "Keep"}]}
    book.tool("AskUserQuestion", {"questions": [question]}, "Keep")
    book.assistant("Forty orders since March, all of one deleted customer.").turn_duration(88)
    book.wait(hours=14).attachment("date_change").attachment("total_tokens_reminder")
    book.away_summary("You were looking at ticket 318. Forty orders have no customer. Next: a fix.")
    write_turn(
        book,
        "Fix it so that they show up again",
        make_messages(desk.survey(5), "Done."),
        TurnBudget(0.4),
    )
    book.informational("Context left until auto-compact: 8%", "warning")
    return book


def _make_changelog(calendar: DemoCalendar) -> SampleSession:
    """Run without a person, from a script."""
    book = begin_session(
        "changelog", calendar.days_ago(1, "02:00"), entrypoint="sdk-cli", model="claude-sonnet-4-6"
    )
    book.queue("enqueue", "Write the changelog of yesterday").queue("dequeue")
    book.user("Write the changelog of yesterday", promptSource="sdk")
    write_messages(
        book,
        make_messages(_make_toolkit().survey(2), "- Import goes on where it stopped"),
        TurnBudget(0.06, 20),
    )
    return book


def _make_empty_session(calendar: DemoCalendar) -> SampleSession:
    """Open a session and close it again: a file without a conversation."""
    return begin_session("nothing", calendar.days_ago(3, "12:00")).snapshot().mode()
