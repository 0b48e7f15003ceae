"""What is going on now."""

from bough.web.state import House
from bough.web.wire.about import Nothing
from bough.web.wire.live import LiveAnswer


def live(house: House, _: Nothing) -> LiveAnswer:
    """List the sessions that are going on, or were lately, and what was said last."""
    if house.ready:
        house.ear.heard.wait(_PATIENCE)
    waits, working = house.ear.counts()
    return LiveAnswer(waits, working, house.ear.in_order(), list(house.ear.said))


_PATIENCE = 0.5
"""The past is read once, at the start; a page that comes first waits so long for it."""
