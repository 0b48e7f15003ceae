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
    toolkit = _make_toolkit()
    seed = "deploy-notes"
    builder = begin_session(
        seed,
        calendar.minutes_ago(18.7),
        session_id=uuid_with_prefix("a80b77e1", seed),
        version="2.1.325",
        model="claude-opus-5-5",
    )
    builder.mode().permission_mode().atis_latch().ai_title("Deploy notes for 2.3")
    builder.snapshot().user("Write the deploy notes for 2.3 from what changed since 2.2")
    for kind in ("environment", "model", "session_context", "date", "remote_session_change"):
        builder.attachment(kind)
    builder.attachment("prompt_snapshot").api_request("Write the deploy notes")
    log = "9f1c2d4 Import goes on where it stopped\n77aa01c Round tax once per refund"
    found = "Eleven changes; two need a migration, one changes a setting."
    search = make_agent_task(
        "read the merged changes", found, toolkit.survey(4), TurnBudget(0.09, 50)
    )
    calls = [toolkit.bash("git log --oneline v2.2..", log), toolkit.glob("migrations/*.py")]
    done = "The notes are in `docs/deploy-2.3.md`: two migrations, one new setting."
    write_messages(
        builder,
        [DemoMessage(calls=calls), DemoMessage(agent_tasks=[search]), DemoMessage(done)],
        TurnBudget(0.40, 200),
    )
    builder.tools_used("Bash", "Glob", "Agent").turn_duration(200)
    write_turn(
        builder,
        "Say how long the migrations lock the table",
        "Under a second each.",
        TurnBudget(0.11),
    )
    write_turn(
        builder, "Add the way back", make_messages(toolkit.survey(3), "Added."), TurnBudget(0.17)
    )
    builder.cost_state(0.77).user("Ship it")
    ship = make_unanswered_call(toolkit, "make ship")
    write_messages(
        builder,
        [DemoMessage("The checks are green. I ship 2.3 now.", [ship])],
        TurnBudget(0.11, 20),
    )
    builder.last_prompt("Ship it", leaf=builder.cursor)
    return builder


def _make_slow_query(calendar: DemoCalendar) -> SampleSession:
    """Look at pictures, run into hooks, get an output too large for a line."""
    toolkit = _make_toolkit()
    builder = begin_session("slow-query", calendar.days_ago(1, "10:12"), version="2.1.220")
    builder.hook("SessionStart", "scripts/hello.sh", tool="startup", words="Branch main, 3 changes")
    builder.permission_mode("acceptEdits").ai_title("The orders page takes nine seconds")
    picture = blocks.image(blocks.draw_png(96, 54))
    builder.snapshot("slow", "src/orders.py").user(
        [blocks.text("The orders page takes nine seconds, see the timeline"), picture],
        name="slow",
    )
    builder.attachment("opened_file_in_ide").attachment("selected_lines_in_ide")
    builder.attachment("hook_additional_context", None)
    builder.thinking("Nine seconds in one block looks like one query, not many.")
    builder.hook("PreToolUse", GUARD, tool="Bash", outcome="blocking_error", words="no production")
    explain = "\n".join(f"Seq Scan on orders  (rows={n * 1000})" for n in range(400))
    builder.big_result("Bash", {"command": "make explain"}, explain)
    builder.tool(
        "Read", {"file_path": toolkit.path("timeline.png")}, [blocks.text("1 image"), picture]
    )
    builder.assistant(
        "One sequential scan over 400,000 orders; there is no index on the customer.",
        usage=_HOUR_CACHE_USAGE,
    )
    builder.tools(toolkit.edit("src/tax.py", "CENT = ", "CENT: Decimal = "), toolkit.grep("index"))
    builder.delta(-1, "slow", "src/tax.py")
    builder.hook("PostToolUse", "scripts/lint.sh", tool="Edit", words="2 files checked")
    builder.hook(
        "PostToolUse",
        "scripts/types.sh",
        tool="Edit",
        outcome="non_blocking_error",
        words="1 error",
    )
    builder.attachment("hook_system_message").attachment("edited_text_file")
    builder.assistant("With the index the page takes 80 ms. The migration is written, not run.")
    builder.stop_hooks("scripts/lint.sh", "scripts/tell.sh", errors=["tell.sh: no network"])
    builder.snapshot("slow", "src/orders.py", update=True).turn_duration(214).pr_link(412)
    return builder


def _make_new_python(calendar: DemoCalendar) -> SampleSession:
    """Let things run in the background and type while the model works."""
    toolkit = _make_toolkit()
    builder = begin_session(
        "new-python", calendar.days_ago(2, "15:30"), version="2.1.219", branch="chore/python"
    )
    builder.title("Move the shop to Python 3.13").agent_name("python-3-13")
    builder.user("Move us to Python 3.13. Run the old and the new suite side by side.", name="move")
    builder.attachment("task_reminder").attachment("command_permissions").attachment("auto_mode")
    tasks = [
        AgentTask(
            kind="general-purpose",
            task=f"run the suite on {version}",
            answer=f"All 243 tests pass on {version}.",
            background=True,
            agent_id=f"a00000000000313{number}",
            work=lambda agent: agent.tools(toolkit.bash("make test", "243 passed", seconds=70)),
        )
        for number, version in enumerate(("3.12", "3.13"))
    ]
    write_messages(
        builder,
        [DemoMessage("Both suites run in the background.", agent_tasks=tasks)],
        TurnBudget(0.35, 30),
    )
    builder.queued("Also drop the old type aliases", shown="attachment")
    builder.queued("and mention it in the changelog", shown="nowhere")
    write_messages(
        builder,
        make_messages(toolkit.survey(6, "TypeVar"), "The aliases are gone."),
        TurnBudget(0.5, 120),
    )
    builder.queued("What about the docker image?", shown="prompt")
    write_messages(
        builder,
        make_messages(toolkit.survey(2), "It builds from 3.13-slim now."),
        TurnBudget(0.2, 60),
    )
    builder.notification(
        "a000000000003131", 'Agent "run the suite on 3.13" completed', "243 passed"
    )
    write_messages(
        builder, [DemoMessage("Both suites pass. 3.13 is 11 percent faster.")], TurnBudget(0.1, 12)
    )
    notification = "<task-notification>\n<task-id>a000000000003130</task-id>\n</task-notification>"
    builder.queue("enqueue", notification).queued_command(notification, mode="task-notification")
    builder.turn_duration(240).last_prompt("What about the docker image?", leaf=builder.cursor)
    return builder


def _make_flaky_test(calendar: DemoCalendar) -> SampleSession:
    """Be turned away by the API, try again, and get two answers to one prompt."""
    toolkit = _make_toolkit()
    builder = begin_session("flaky", calendar.days_ago(4, "09:05"), version="2.1.150")
    builder.ai_title("Why the tax rounding drifts")
    question = "Why does the rounding of tax drift by a cent on refunds?"
    builder.user(question).retry(1).retry(2).retry(3)
    builder.api_error("API Error: 529 Overloaded", apiErrorStatus=529).wait(90)
    builder.user(question, name="why")
    write_messages(
        builder,
        make_messages(toolkit.survey(3, "ROUND"), "It rounds each line of a refund."),
        TurnBudget(0.3),
    )
    builder.at("why").wait(40)
    answer = "Each line is rounded by itself; the sum should be rounded once."
    write_messages(builder, make_messages([toolkit.read("src/tax.py")], answer), TurnBudget(0.2))
    builder.redacted_thinking().assistant(
        "A refund of three lines can be off by one cent, never by two."
    )
    builder.user("Show me one that is off", name="show")
    builder.assistant("Three lines of 0.335 at 7 percent, for instance the ", usage={})
    builder.interrupt().wait(8)
    write_turn(
        builder,
        "Shorter, as a test",
        make_messages([toolkit.read("src/tax.py")], "Written."),
        TurnBudget(0.14),
    )
    return builder


def _make_upgrade(calendar: DemoCalendar) -> SampleSession:
    """Change a prompt after the fact, compact by hand, run commands of the client."""
    toolkit = _make_toolkit()
    builder = begin_session(
        "upgrade", calendar.days_ago(9, "11:40"), version="2.1.112", branch="chore/click"
    )
    write_turn(
        builder,
        "Upgrade click",
        make_messages(toolkit.survey(4, "click"), "Done: 8.1 to 8.3."),
        TurnBudget(0.31),
    )
    builder.name_step("done")
    write_turn(
        builder,
        "Run the tests",
        make_messages([toolkit.bash("make test", "ok")], "Green."),
        TurnBudget(0.08),
    )
    builder.at("done")
    write_turn(
        builder,
        "Run the tests and the linter",
        make_messages(toolkit.survey(2), "Green."),
        TurnBudget(0.1),
    )
    builder.shell("git status --short", " M pyproject.toml").wait(60)
    builder.command("model", "opus", "Set model to opus")
    builder.compact("Summary:\nclick was upgraded to 8.3; the tests pass.", trigger="manual")
    builder.command("compact", "", "Compacted (ctrl+o to see full summary)")
    write_turn(
        builder,
        "Commit it",
        make_messages([toolkit.bash("git commit -am 'Upgrade click'")], "Done."),
        TurnBudget(0.05),
    )
    builder.command("cost", "", "Total cost: $0.54", as_system=True)
    builder.skill("/release-notes", "", "# Release notes\n\nOne line for each change.")
    write_messages(builder, [DemoMessage("- click 8.3")], TurnBudget(0.03))
    return builder


def _make_morning(calendar: DemoCalendar) -> SampleSession:
    """Come back the next day to a session left open; search the web, use a skill and a server."""
    toolkit = _make_toolkit()
    builder = begin_session("morning", calendar.days_ago(6, "18:20"), version="2.1.197")
    builder.agent_setting("default").ai_title("Ticket 318: orders without a customer")
    for kind in ("mcp_instructions_delta", "nested_memory", "directory", "todo_reminder"):
        builder.attachment(kind)
    builder.user("Look at ticket 318")
    found = [blocks.tool_reference("mcp__tickets__read")]
    builder.tool("ToolSearch", {"query": "select:mcp__tickets__read"}, found)
    builder.tool("mcp__tickets__read", {"number": 318}, [blocks.text("Orders without a customer")])
    builder.tool("Skill", {"skill": "triage"}, "Launching skill: triage", name="triage")
    builder.skill_body(
        "# Triage\n\nSay who is hit, since when, how badly.", "triage", "toolu_01triage"
    )
    builder.attachment("invoked_skills").attachment("workflow_keyword_request")
    page = "A left join keeps orders whose customer was deleted."
    builder.tool("WebFetch", {"url": "https://example.com/joins", "prompt": "joins"}, page)
    builder.tool("WebSearch", {"query": "orphan rows"}, "3 results")
    question = {"question": "Keep the orders?", "options": [{"label": "Keep"}]}
    builder.tool("AskUserQuestion", {"questions": [question]}, "Keep")
    builder.assistant("Forty orders since March, all of one deleted customer.").turn_duration(88)
    builder.wait(hours=14).attachment("date_change").attachment("total_tokens_reminder")
    builder.away_summary(
        "You were looking at ticket 318. Forty orders have no customer. Next: a fix."
    )
    write_turn(
        builder,
        "Fix it so that they show up again",
        make_messages(toolkit.survey(5), "Done."),
        TurnBudget(0.4),
    )
    builder.informational("Context left until auto-compact: 8%", "warning")
    return builder


def _make_changelog(calendar: DemoCalendar) -> SampleSession:
    """Run without a person, from a script."""
    builder = begin_session(
        "changelog", calendar.days_ago(1, "02:00"), entrypoint="sdk-cli", model="claude-sonnet-4-6"
    )
    builder.queue("enqueue", "Write the changelog of yesterday").queue("dequeue")
    builder.user("Write the changelog of yesterday", promptSource="sdk")
    write_messages(
        builder,
        make_messages(_make_toolkit().survey(2), "- Import goes on where it stopped"),
        TurnBudget(0.06, 20),
    )
    return builder


def _make_empty_session(calendar: DemoCalendar) -> SampleSession:
    """Open a session and close it again: a file without a conversation."""
    return begin_session("nothing", calendar.days_ago(3, "12:00")).snapshot().mode()
