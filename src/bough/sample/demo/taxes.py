"""A plan, its implementation, and the worktree that is gone: the tax on refunds."""

from bough.sample.builder.agents import Errand
from bough.sample.builder.session import Session
from bough.sample.data.ids import prefixed
from bough.sample.data.tool_results import Call
from bough.sample.demo.repository_files import ORCHARD as FILES
from bough.sample.demo.toolkit import Desk
from bough.sample.demo.turns import Beat, Budget, beats, errand, play, tell
from bough.sample.demo.world import FIX_TAX, ORCHARD, Calendar, begin

SLUG = "quiet-mending-ladder"
PLAN = """\
# Rounding of tax on refunds

1. Sum the lines of a refund first, then round once.
2. Keep the old function for invoices; auditors compare them line by line.
3. Add a table of 40 refunds with the cents the tax office expects."""
TUESDAY = 1


def sessions(calendar: Calendar) -> list[Session]:
    """Give the plan, what was built from it, and two sessions of the worktree."""
    return [_plan(calendar), _implementation(calendar), *_worktree(calendar)]


def _plan(calendar: Calendar) -> Session:
    """Plan in plan mode, with one question asked in two ways."""
    desk = Desk(ORCHARD, FILES)
    seed = "tax-plan"
    book = begin(
        seed,
        calendar.last(TUESDAY, "15:38"),
        session_id=prefixed("51d0c9aa", seed),
        version="2.1.197",
        slug=SLUG,
        permission_mode="plan",
    )
    book.permission_mode().ai_title("Rounding of tax on refunds")
    book.user("Refunds are a cent off. Plan how to round tax properly.")
    book.attachment("plan_mode")
    play(book, beats(desk.survey(8, "ROUND", "tax"), "I see two ways."), Budget(0.40, 150))
    tell(book, "Which one do auditors expect?", "Rounding once, on the sum.", Budget(0.12))
    book.call("asked")
    tell(book, "What does it cost us?", "Nothing at run time; a table of cases.", Budget(0.10))
    book.at("asked")
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
        tell(book, prompt, answer, Budget(dollars, 25), pause=2)
    book.clock(calendar.last(TUESDAY, "16:18")).user("Write the plan down")
    approved = "User has approved your plan. You can now start coding."
    shown = Call(tool="ExitPlanMode", given={"plan": PLAN}, result=approved, seconds=40)
    play(book, [Beat("Here it is.", [shown])], Budget(0.25, 90))
    book.attachment("plan_mode_exit")
    play(book, [Beat("The plan is written; I have changed nothing.")], Budget(0.08, 6))
    return book


def _implementation(calendar: Calendar) -> Session:
    """Build what was planned, with agents that have agents of their own."""
    desk = Desk(ORCHARD, FILES)
    book = begin(
        "tax-build",
        calendar.last(TUESDAY, "17:02"),
        version="2.1.197",
        slug=SLUG,
        permission_mode="acceptEdits",
    )
    book.implement(PLAN)

    looks = desk.survey(12, "tax", "ROUND")
    inner = errand("count the rates", "Five rates.", looks[:4], Budget(0.15, 40))
    outer = Errand(
        kind="general-purpose",
        task="collect last year's refunds",
        answer="Forty, in all five rates.",
        spoken=True,
        work=lambda agent: play(
            agent,
            [Beat(errands=[inner]), *beats(looks[:6], "Forty, in all five rates.")],
            Budget(0.95, 300),
        ),
    )
    errands = [
        errand(
            "find every use of tax()", "Seven, all in orders and refunds.", looks, Budget(0.4, 90)
        ),
        errand("read the tax office's tables", "They round once.", looks[:5], Budget(0.25, 60)),
        outer,
    ]
    rounded = "    return total.quantize(CENT, rounding=ROUND_HALF_UP)"
    calls = [
        desk.edit("src/tax.py", "    return sum((tax(amount, rate)", rounded),
        desk.write("tests/tax/refunds.csv", "amount,rate,tax\n0.335,0.07,0.02\n"),
        desk.bash("pytest -q tests/tax", "1 failed, 39 passed", code=1, seconds=3),
        desk.edit("src/tax.py", "CENT = ", "CENT: Decimal = "),
        desk.bash("pytest -q tests/tax", "40 passed in 0.4s"),
    ]
    story = [Beat(errands=errands), *beats(calls, "All 40 refunds agree with the tax office.")]
    play(book, story, Budget(3.10, 1_200))
    book.turn_duration(1_200)
    tell(book, "Now the invoices", beats(desk.survey(9, "tax"), "Unchanged, proven."), Budget(2.2))
    tell(book, "Write the commit", beats([desk.bash("git commit -am 'x'")], "Done."), Budget(0.4))
    book.pr_link(398).pr_link(401)
    return book


def _worktree(calendar: Calendar) -> list[Session]:
    """Give two sessions of a worktree whose folder was removed since."""
    desk = Desk(FIX_TAX, FILES)
    first = begin("fix-tax/1", calendar.days_ago(3, "14:10"), cwd=FIX_TAX, branch="fix/tax")
    first.worktree_state("fix-tax", FIX_TAX, ORCHARD)
    tell(first, "Try half even instead", beats(desk.survey(4), "Two refunds differ."), Budget(0.62))
    second = begin("fix-tax/2", calendar.days_ago(3, "16:45"), cwd=FIX_TAX, branch="fix/tax")
    tell(second, "Which two?", beats([desk.read("src/tax.py")], "12 and 31."), Budget(0.3))
    tell(second, "Drop it then", "Dropped. Nothing is left on this branch.", Budget(0.18))
    return [first, second]
