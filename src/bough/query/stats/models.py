"""Models: how often each answered. What that cost is the ledger's business."""

from typing import Final

from msgspec import Struct, field

from bough.query.stats.kept_sums import SumKind
from bough.query.stats.percentiles import later_of
from bough.store.stats_protocol import IndexedAnswer, StatsScope, StatsSource


class ModelRow(Struct, frozen=True):
    """One model: its answers, how many of them were an agent's, and in how many sessions."""

    model: str
    answers: int
    agent_answers: int
    sessions: int
    first: str | None
    last: str | None


class ModelTotals(Struct, frozen=True):
    """All models together."""

    answers: int
    agent_answers: int
    sessions: int


class ModelReport(Struct, frozen=True):
    """Models, those that answered most first."""

    rows: list[ModelRow]
    totals: ModelTotals


class ModelSum(Struct, array_like=True):
    """The answers of one model, while they are added up."""

    answers: int = 0
    agents: int = 0
    sessions: set[str] = field(default_factory=set)
    first: str | None = None
    last: str | None = None

    def add(self, answer: IndexedAnswer) -> None:
        """Take in an answer."""
        self.answers += 1
        self.agents += answer.agent
        self.sessions.add(answer.session)
        self._stretch(answer.timestamp, answer.timestamp)

    def merge(self, other: "ModelSum") -> None:
        """Take in the answers of another sum."""
        self.answers += other.answers
        self.agents += other.agents
        self.sessions |= other.sessions
        self._stretch(other.first, other.last)

    def _stretch(self, first: str | None, last: str | None) -> None:
        self.last = later_of(self.last, last)
        if first is not None and first < (self.first or "~"):
            self.first = first


MODEL_SUMS: Final = SumKind(
    "models",
    "message",
    (str, ModelSum),
    lambda source, scope, part: source.answers(scope, part),
    lambda answer: answer.model,
    lambda answer: answer.timestamp,
)


def model_report(behaviour: StatsSource, scope: StatsScope) -> ModelReport:
    """Count the answers of each model."""
    sums = MODEL_SUMS.count(behaviour, scope)
    rows = sorted(
        (_model_row(model, found) for model, found in sums.items()),
        key=lambda row: (-row.answers, row.model),
    )
    everywhere = set().union(*(found.sessions for found in sums.values()))
    totals = ModelTotals(
        sum(row.answers for row in rows),
        sum(row.agent_answers for row in rows),
        len(everywhere),
    )
    return ModelReport(rows, totals)


def _model_row(model: str, found: ModelSum) -> ModelRow:
    return ModelRow(
        model, found.answers, found.agents, len(found.sessions), found.first, found.last
    )
