"""Travel: the screens that preview a change at a point of a session."""

from bough.library import fork, goto
from bough.tui.screens.plan_preview import PlanPreviewScreen
from bough.tui.screens.travel_point import TravelRequest


def make_fork_screen(path: str, uuid: str) -> PlanPreviewScreen:
    """Preview a new session that ends at a point."""
    request = TravelRequest(
        path, uuid, lambda file, aim, title: fork(file, aim, title=title or None)
    )
    return PlanPreviewScreen("Fork a new session", request, title="")


def make_goto_screen(path: str, uuid: str) -> PlanPreviewScreen:
    """Preview making a point the active one; where that is refused, a fork is the way."""
    request = TravelRequest(path, uuid, lambda file, aim, _: goto(file, aim), offers_fork=True)
    return PlanPreviewScreen("Make this the active branch", request)
