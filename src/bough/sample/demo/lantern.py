"""A drawing program: a model without a price, a workflow, a renamed session."""

from bough.sample.builder.agents import Errand
from bough.sample.builder.session import Session
from bough.sample.data import blocks
from bough.sample.demo.repository_files import LANTERN as FILES
from bough.sample.demo.toolkit import Desk
from bough.sample.demo.turns import Beat, Budget, beats, play, tell
from bough.sample.demo.world import LANTERN, RESUME_IMPORT, Calendar, begin

TUESDAY = 1


def sessions(calendar: Calendar) -> list[Session]:
    """Give the sessions of paper-lantern, and a short one of the import's worktree."""
    return [
        _glow(calendar),
        _workflow(calendar),
        _lab_model(calendar),
        _nested(calendar),
        _quick_question(calendar),
        _benchmark(calendar),
    ]


def _glow(calendar: Calendar) -> Session:
    """Look at a drawing and rename the session."""
    desk = Desk(LANTERN, FILES)
    book = begin("glow", calendar.last(TUESDAY, "15:50"), cwd=LANTERN, model="claude-opus-5-5")
    book.title("The glow of the lanterns", sidecar=True).agent_name("The glow of the lanterns")
    night = blocks.image(blocks.png(64, 96, (24, 22, 40)))
    prompt = [blocks.text("The glow ends in a hard edge"), night]
    calls = [desk.read("src/draw.ts"), desk.edit("src/draw.ts", "GLOW = 24", "GLOW = 42")]
    tell(book, prompt, beats(calls, "The canvas cut it off; the shadow needs room."), Budget(1.2))
    brief = [blocks.document("Lanterns at dusk, slow, warm.", "brief.md"), blocks.text("Like this")]
    tell(book, brief, beats(desk.survey(6, "lit"), "The light now grows in 400 ms."), Budget(2.4))
    tell(book, [blocks.pdf(), blocks.text("And print it")], "The page fits on A4.", Budget(0.6))
    return book


def _workflow(calendar: Calendar) -> Session:
    """Run a workflow, whose agents have a folder of their own."""
    desk = Desk(LANTERN, FILES)
    book = begin("workflow", calendar.days_ago(8, "20:15"), cwd=LANTERN, branch="feat/fold")
    book.ai_title("Fold pages into lanterns")
    book.user("Use the fold workflow on all pages")
    errands = [
        Errand(
            kind="folder",
            task=f"fold page {number}",
            answer=f"Page {number} folds in {number + 2} steps.",
            layout="workflow",
            run="fold-7f3a",
            work=lambda agent: agent.tools(desk.read("src/page.ts")),
        )
        for number in (1, 2, 3)
    ]
    play(book, [Beat(errands=errands), Beat("All three pages fold.")], Budget(1.9, 340))
    book.turn_duration(340)
    return book


def _lab_model(calendar: Calendar) -> Session:
    """Use a model nobody has a price for, through a gateway that leaves fields out."""
    desk = Desk(LANTERN, FILES)
    book = begin("lab", calendar.days_ago(10, "22:40"), cwd=LANTERN, model="claude-lab-9")
    tell(
        book, "Sketch a paper texture", beats(desk.survey(3), "A noise of two layers."), Budget(0.1)
    )
    return book


def _nested(calendar: Calendar) -> Session:
    """Send an agent that sends an agent that sends an agent."""
    book = begin("nested", calendar.days_ago(12, "17:00"), cwd=LANTERN, model="claude-sonnet-4-6")
    book.ai_title("Where the paper tears")
    book.user("Find out why folded paper tears at the third fold")
    book.agent(
        "general-purpose",
        "study the folds",
        answer="The third fold doubles the strain.",
        work=lambda first: first.agent(
            "Explore",
            "read page.ts",
            answer="folds is only counted, never limited.",
            work=lambda second: second.agent("Explore", "look for a limit", answer="None."),
        ),
    )
    book.assistant("Nothing limits the folds. Two would be right for this weight.")
    book.side_agent("aprompt_suggestion", "[SUGGESTION MODE: say what comes next]", "Limit it")
    return book


def _quick_question(calendar: Calendar) -> Session:
    """Ask one thing."""
    book = begin(
        "quick", calendar.days_ago(15, "09:30"), cwd=LANTERN, version="2.1.101", branch="HEAD"
    )
    tell(book, "What is the unit of shadowBlur?", "Pixels, not affected by scale.", Budget(0.02, 6))
    return book


def _benchmark(calendar: Calendar) -> Session:
    """Measure the checkpoint, in the worktree of the import."""
    desk = Desk(RESUME_IMPORT, {"bench.py": "import timeit\n"})
    book = begin("benchmark", calendar.today("15:00"), cwd=RESUME_IMPORT, branch="feat/resume")
    book.ai_title("Benchmark the checkpoint writes")
    calls = [desk.read("bench.py"), desk.bash("python bench.py", "0.4 ms per save", seconds=8)]
    tell(book, "How much does saving cost?", beats(calls, "0.4 ms per batch."), Budget(2.55, 90))
    return book
