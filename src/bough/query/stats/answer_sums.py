"""Answers of models, added up once for both reports that count them: when, and of which model."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from bough.query.stats.kept_sums import SumKind
from bough.query.stats.percentiles import later_of
from bough.query.stats.quarter_hours import ActivitySum
from bough.store.stats_protocol import IndexedAnswer

AnswerKey = tuple[str, str]
"""A session and a model."""


class AnswerSum(Struct, array_like=True):
    """The answers of one model in one session, while they are added up."""

    answers: int = 0
    agents: int = 0
    first: str | None = None
    last: str | None = None
    activity: ActivitySum = field(default_factory=ActivitySum)

    def add(self, answer: IndexedAnswer) -> None:
        """Take in an answer."""
        self.answers += 1
        self.agents += answer.agent
        self.activity.add(answer)
        self._stretch(answer.timestamp, answer.timestamp)

    def merge(self, other: "AnswerSum") -> None:
        """Take in the answers of another sum."""
        self.answers += other.answers
        self.agents += other.agents
        self.activity.merge(other.activity)
        self._stretch(other.first, other.last)

    def _stretch(self, first: str | None, last: str | None) -> None:
        self.last = later_of(self.last, last)
        if first is not None and first < (self.first or "~"):
            self.first = first


ANSWER_SUMS: Final = SumKind(
    "answers",
    "message",
    (tuple[str, str], AnswerSum),
    lambda source, scope, part: source.answers(scope, part),
    lambda answer: (answer.session, answer.model),
    lambda answer: answer.timestamp,
)


def list_session_activity(sums: Mapping[AnswerKey, AnswerSum]) -> dict[str, ActivitySum]:
    """Say of each session when models answered, whichever they were."""
    found: dict[str, ActivitySum] = {}
    for (session, _), answers in sums.items():
        found.setdefault(session, ActivitySum()).merge(answers.activity)
    return found
