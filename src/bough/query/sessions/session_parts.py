"""Parts of a session by what a person calls them: a message, an agent, a client's version."""

from bough.errors import Misuse, NotFound, TipNotFound
from bough.model.session import Agent, Session
from bough.model.tree.active_tip import parse_version


def find_message(session: Session, wanted: str) -> str:
    """Find the message a person means by the beginning of its uuid.

    Raises:
        TipNotFound: None begins so.
        Misuse: Several do.
    """
    number = session.tree.number
    if wanted in number:
        return wanted
    folded = wanted.casefold()
    found = {number[uuid]: uuid for uuid in number if uuid.casefold().startswith(folded)}
    if not found:
        raise TipNotFound(wanted, session.id)
    if len(found) > 1:
        names = ", ".join(uuid[: len(wanted) + 4] for uuid in list(found.values())[:4])
        raise Misuse(f'"{wanted}" fits {len(found):,} messages: {names}. Give more characters.')
    return session.tree.uuid(*found)


def find_agent(session: Session, wanted: str) -> Agent:
    """Find an agent of a session by the beginning of its id.

    Raises:
        NotFound: None begins so.
        Misuse: Several do.
    """
    found = [agent for agent in session.agents if agent.id == wanted]
    found = found or [agent for agent in session.agents if agent.id.startswith(wanted)]
    if len(found) == 1:
        return found[0]
    ids = ", ".join(agent.id for agent in (found or session.agents)[:4])
    if found:
        raise Misuse(f'"{wanted}" fits {len(found)} agents: {ids}. Give more characters.')
    known = f"Its agents: {ids}." if ids else "It has no agents."
    raise NotFound(f"No agent of session {session.id[:8]} begins with {wanted}. {known}")


def check_version(text: str) -> str:
    """Check that a text is a client's version."""
    if parse_version(text) is None:
        raise Misuse(f"{text} is not a version of the client, such as 2.1.120.")
    return text
