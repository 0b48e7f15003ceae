"""A plan, its implementation, and the worktree that is gone: the tax on refunds."""

from bough.sample.builder.agents import AgentTask
from bough.sample.builder.session import SampleSession
from bough.sample.data.ids import uuid_of, uuid_with_prefix
from bough.sample.data.tool_results import SampleCall
from bough.sample.demo.repository_files import ORCHARD as FILES
from bough.sample.demo.toolkit import ToolKit
from bough.sample.demo.turns import (
    DemoMessage,
    TurnBudget,
    make_agent_task,
    make_messages,
    write_messages,
    write_turn,
)
from bough.sample.demo.world import FIX_TAX, ORCHARD, DemoCalendar, begin_session

SLUG = "quiet-mending-ladder"
PLAN = """\
# Rounding of tax on refunds

1. Sum the lines of a refund first, then round once.
2. Keep the old function for invoices; auditors compare them line by line.
3. Add a table of 40 refunds with the cents the tax office expects."""
TASKS = (
    {
        "subject": "Sum the lines of a refund first",
        "description": "Then round once.",
        "activeForm": "Summing the lines first",
        "status": "completed",
    },
    {
        "subject": "Keep the old function for invoices",
        "description": "Auditors compare them line by line.",
        "activeForm": "Keeping the old function",
        "status": "completed",
    },
    {
        "subject": "Ask the tax office about negative lines",
        "description": "",
        "activeForm": "Asking about negative lines",
        "status": "pending",
    },
)
_BUILD_SEED = "tax-build"
BUILD_ID = uuid_of(f"demo/{_BUILD_SEED}")
TUESDAY = 1


def sessions(calendar: DemoCalendar) -> list[SampleSession]:
    """Give the plan, what was built from it, and two sessions of the worktree."""
    return [
        _make_plan(calendar),
        _make_implementation(calendar),
        *_make_worktree_sessions(calendar),
    ]


def _make_plan(calendar: DemoCalendar) -> SampleSession:
    """Plan in plan mode, with one question asked in two ways."""
    toolkit = ToolKit(ORCHARD, FILES)
    seed = "tax-plan"
    builder = begin_session(
        seed,
        calendar.last_weekday(TUESDAY, "15:38"),
        session_id=uuid_with_prefix("51d0c9aa", seed),
        version="2.1.197",
        slug=SLUG,
        permission_mode="plan",
    )
    builder.permission_mode().ai_title("Rounding of tax on refunds")
    builder.user("Refunds are a cent off. Plan how to round tax properly.")
    builder.attachment("plan_mode")
    write_messages(
        builder,
        make_messages(toolkit.survey(8, "ROUND", "tax"), "I see two ways."),
        TurnBudget(0.40, 150),
    )
    write_turn(
        builder, "Which one do auditors expect?", "Rounding once, on the sum.", TurnBudget(0.12)
    )
    builder.name_step("asked")
    write_turn(
        builder, "What does it cost us?", "Nothing at run time; a table of cases.", TurnBudget(0.10)
    )
    builder.at("asked")
    for prompt, answer, dollars in (
        ("What does it cost us per year, in cents?", "About 310 cents a year.", 0.14),
        ("Keep the old function", "Kept for invoices only.", 0.15),
        ("Where do the cases come from?", "From last year's refunds.", 0.18),
        ("How many are enough?", "Forty cover every rate twice.", 0.14),
        ("Name the file", "`tests/tax/refunds.csv`.", 0.12),
        ("What about negative lines?", "They round towards zero today.", 0.16),
        ("That is wrong", "Then half up, away from zero.", 0.14),
        ("Good. Say it in the plan", "Added as a note.", 0.12),
    ):
        write_turn(builder, prompt, answer, TurnBudget(dollars, 25), pause=2)
    builder.set_clock(calendar.last_weekday(TUESDAY, "16:18")).user("Write the plan down")
    approved = "User has approved your plan. You can now start coding."
    shown = SampleCall(tool="ExitPlanMode", given={"plan": PLAN}, result=approved, seconds=40)
    write_messages(builder, [DemoMessage("Here it is.", [shown])], TurnBudget(0.25, 90))
    builder.attachment("plan_mode_exit")
    write_messages(
        builder, [DemoMessage("The plan is written; I have changed nothing.")], TurnBudget(0.08, 6)
    )
    return builder


def _make_implementation(calendar: DemoCalendar) -> SampleSession:
    """Build what was planned, with agents that have agents of their own."""
    toolkit = ToolKit(ORCHARD, FILES)
    builder = begin_session(
        _BUILD_SEED,
        calendar.last_weekday(TUESDAY, "17:02"),
        version="2.1.197",
        slug=SLUG,
        permission_mode="acceptEdits",
    )
    builder.implement(PLAN)

    looks = toolkit.survey(12, "tax", "ROUND")
    inner = make_agent_task("count the rates", "Five rates.", looks[:4], TurnBudget(0.15, 40))
    outer = AgentTask(
        kind="general-purpose",
        task="collect last year's refunds",
        answer="Forty, in all five rates.",
        spoken=True,
        work=lambda agent: write_messages(
            agent,
            [
                DemoMessage(agent_tasks=[inner]),
                *make_messages(looks[:6], "Forty, in all five rates."),
            ],
            TurnBudget(0.95, 300),
        ),
    )
    tasks = [
        make_agent_task(
            "find every use of tax()",
            "Seven, all in orders and refunds.",
            looks,
            TurnBudget(0.4, 90),
        ),
        make_agent_task(
            "read the tax office's tables", "They round once.", looks[:5], TurnBudget(0.25, 60)
        ),
        outer,
    ]
    rounded = "    return total.quantize(CENT, rounding=ROUND_HALF_UP)"
    calls = [
        toolkit.edit("src/tax.py", "    return sum((tax(amount, rate)", rounded),
        toolkit.write("tests/tax/refunds.csv", "amount,rate,tax\n0.335,0.07,0.02\n"),
        toolkit.bash("pytest -q tests/tax", "1 failed, 39 passed", code=1, seconds=3),
        toolkit.edit("src/tax.py", "CENT = ", "CENT: Decimal = "),
        toolkit.bash("pytest -q tests/tax", "40 passed in 0.4s"),
    ]
    messages = [
        DemoMessage(agent_tasks=tasks),
        *make_messages(calls, "All 40 refunds agree with the tax office."),
    ]
    write_messages(builder, messages, TurnBudget(3.10, 1_200))
    builder.turn_duration(1_200)
    write_turn(
        builder,
        "Now the invoices",
        make_messages(toolkit.survey(9, "tax"), "Unchanged, proven."),
        TurnBudget(2.2),
    )
    write_turn(
        builder,
        "Write the commit",
        make_messages([toolkit.bash("git commit -am 'x'")], "Done."),
        TurnBudget(0.4),
    )
    builder.pr_link(398).pr_link(401)
    return builder


def _make_worktree_sessions(calendar: DemoCalendar) -> list[SampleSession]:
    """Give two sessions of a worktree whose folder was removed since."""
    toolkit = ToolKit(FIX_TAX, FILES)
    first = begin_session("fix-tax/1", calendar.days_ago(3, "14:10"), cwd=FIX_TAX, branch="fix/tax")
    first.worktree_state("fix-tax", FIX_TAX, ORCHARD)
    write_turn(
        first,
        "Try half even instead",
        make_messages(toolkit.survey(4), "Two refunds differ."),
        TurnBudget(0.62),
    )
    second = begin_session(
        "fix-tax/2", calendar.days_ago(3, "16:45"), cwd=FIX_TAX, branch="fix/tax"
    )
    write_turn(
        second,
        "Which two?",
        make_messages([toolkit.read("src/tax.py")], "12 and 31."),
        TurnBudget(0.3),
    )
    write_turn(second, "Drop it then", "Dropped. Nothing is left on this branch.", TurnBudget(0.18))
    return [first, second]
