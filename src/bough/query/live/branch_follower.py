"""One branch of a session that is watched: what is on it, and what comes at its end.

A record belongs to the branch where it is one of those that lead to the tip, or hangs on what
came behind the tip. What hangs on an earlier one is another branch: somebody went back.
"""

from pathlib import Path

from bough.model.outline.branch_path import find_conversation_through
from bough.query.sessions.load_session import read_session
from bough.records.record import BadLine, Record


class BranchFollower:
    """The records of a branch, as far as they were met."""

    def __init__(self, path: Path, tip: str) -> None:
        """Read which records lead to a message, and on from it.

        Raises:
            TipNotFound: The session has no such message.
        """
        session = read_session(path)
        conversation = find_conversation_through(session, session.find(tip))
        uuids = [node.uuid for node in conversation.nodes if node.uuid is not None]
        last = conversation.messages[-1].uuids if conversation.messages else []
        self.path = str(path)
        self._known = {*uuids, *last}
        self._ends = {*last, *uuids[-1:]}

    def contains(self, item: Record | BadLine) -> bool:
        """Tell whether a line is of this branch; one that hangs on nothing is of every branch."""
        if isinstance(item, BadLine) or item.uuid is None or item.uuid in self._known:
            return True
        if item.parent_uuid not in self._ends:
            return False
        self._known.add(item.uuid)
        self._ends.add(item.uuid)
        return True
