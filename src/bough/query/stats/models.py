"""Models: how often each answered. What that cost is the ledger's business."""

from msgspec import Struct

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


def model_report(behaviour: StatsSource, scope: StatsScope) -> ModelReport:
    """Count the answers of each model."""
    counts = ModelCounts()
    for answer in behaviour.answers(scope):
        counts.add(answer)
    return counts.report()


class ModelCounts:
    """Adds answers up by model, as they come."""

    def __init__(self) -> None:
        self._models: dict[str, _ModelSum] = {}

    def add(self, answer: IndexedAnswer) -> None:
        """Count an answer."""
        found = self._models.get(answer.model)
        if found is None:
            found = self._models[answer.model] = _ModelSum()
        found.add(answer)

    def report(self) -> ModelReport:
        """Give the models so far, those that answered most first."""
        sums = self._models
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


class _ModelSum:
    __slots__ = ("agents", "answers", "first", "last", "sessions")

    def __init__(self) -> None:
        self.answers = self.agents = 0
        self.sessions: set[str] = set()
        self.first: str | None = None
        self.last: str | None = None

    def add(self, answer: IndexedAnswer) -> None:
        self.answers += 1
        self.agents += answer.agent
        self.sessions.add(answer.session)
        self.last = later_of(self.last, answer.timestamp)
        if answer.timestamp is not None and answer.timestamp < (self.first or "~"):
            self.first = answer.timestamp


def _model_row(model: str, found: _ModelSum) -> ModelRow:
    return ModelRow(
        model, found.answers, found.agents, len(found.sessions), found.first, found.last
    )
