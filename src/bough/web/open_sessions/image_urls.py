"""Where a page finds the pictures of a conversation."""

from collections.abc import Callable
from urllib.parse import quote, urlencode

from bough.model.session import Agent, Session
from bough.model.tools.calls import Picture


def picture_address(session: str) -> Callable[[Session, Picture, int], str]:
    """Give what names the pictures of a session, or of an agent of it, in a page."""

    def address(inside: Session, picture: Picture, number: int) -> str:
        params: dict[str, str | int] = {"offset": picture.offset, "n": number}
        if isinstance(inside, Agent):
            params["agent"] = inside.id
        return f"/api/sessions/{quote(session, safe='')}/picture?{urlencode(params)}"

    return address
