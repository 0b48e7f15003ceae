"""What a session is doing and what it has used, told from its records as they come.

The same answers as `bough.model.session` gives for a file that is at rest, but without
keeping the records: a session may be watched for days. Agents' records are added beside
those of the main conversation, each with a progress of its own.
"""

from collections import deque

from bough.model.conversation.context_window import window_size_of
from bough.model.conversation.titles import Title
from bough.model.interpret.message_kinds import SYNTHETIC
from bough.model.interpret.user_records import (
    UserRecordKind,
    classify_user_record,
    extract_typed_text,
    parse_slash_command,
)
from bough.model.live.background_work import BackgroundWork
from bough.model.live.turn_progress import ENDED, TurnProgress
from bough.model.text.formats import to_one_line
from bough.model.usage.price_list import PRICES, PriceList
from bough.model.usage.running_total import REMEMBERED, RunningCost
from bough.model.usage.tokens import Tokens, read_snapshots, tokens_of
from bough.records.decode import message_of
from bough.records.record import Record
from bough.records.types import (
    AiTitle,
    Assistant,
    CustomTitle,
    LastPrompt,
    PermissionMode,
    Summary,
    System,
    User,
)

COMPACTING_AGENT = "acompact"
"""Agents whose names begin so are the client's own, and write the summary."""

_MOST_AGENTS = 64
_MOST_SUMMARIES = 64
_RECENT = 64
_NO_TITLE = ("[", "Warmup", "This session is being continued from")


class TitleCollector:
    """The title of a session as far as its records gave one."""

    def __init__(self) -> None:
        self.sidecar: str | None = None
        self._custom: str | None = None
        self._ai_title: str | None = None
        self._summary: str | None = None
        self._last_prompt: str | None = None
        self._first_prompt: str | None = None
        self._command: str | None = None
        self._summaries: dict[str, str] = {}
        self._recent: deque[str] = deque(maxlen=_RECENT)

    @property
    def title(self) -> Title | None:
        """Choose the best there is, in the order of the client's own picker."""
        custom = self._custom if self.sidecar is None else self.sidecar
        for source, text in (
            ("custom-title", custom),
            ("ai-title", self._ai_title),
            ("summary", self._summary),
            ("last-prompt", self._last_prompt),
            ("first-prompt", self._first_prompt),
            ("command", self._command),
        ):
            if text and (line := to_one_line(text)):
                return Title(line, source)
        return None

    def add(self, record: Record) -> None:
        """Take one record into account."""
        match record:
            case CustomTitle(custom_title=str(text)):
                self._custom = text
            case AiTitle(ai_title=str(text)):
                self._ai_title = text
            case LastPrompt(last_prompt=str(text)):
                self._last_prompt = text
            case Summary(summary=str(text), leaf_uuid=str(leaf)):
                self._add_summary(leaf, text)
            case User() if self._first_prompt is None and not record.is_sidechain:
                self._add_prompt(record)
        if record.uuid is not None:
            if record.uuid in self._summaries:
                self._summary = self._summaries[record.uuid]
            self._recent.append(record.uuid)

    def _add_summary(self, leaf: str, text: str) -> None:
        """Keep a summary; old files hold those of other sessions too."""
        if leaf in self._recent:
            self._summary = text
        elif len(self._summaries) < _MOST_SUMMARIES:
            self._summaries[leaf] = text

    def _add_prompt(self, record: User) -> None:
        meaning = classify_user_record(record)
        if meaning not in (UserRecordKind.PROMPT, UserRecordKind.COMMAND):
            return
        text = extract_typed_text(record).strip()
        if meaning is UserRecordKind.PROMPT and text and not text.startswith(_NO_TITLE):
            self._first_prompt = text
        elif meaning is UserRecordKind.COMMAND and self._command is None:
            command = parse_slash_command(text)
            self._command = command.text if command else None


class ContextTracker:
    """How full the model's window was when it last answered on the main line."""

    def __init__(self) -> None:
        self.model: str | None = None
        self.tokens: int | None = None

    @property
    def size(self) -> int | None:
        """Give the size of the window; None where the model is not known."""
        return window_size_of(self.model, self.tokens or 0)

    @property
    def share(self) -> float | None:
        """Give which part of the window is taken."""
        size = self.size
        return None if self.tokens is None or not size else self.tokens / size

    def add(self, record: Record) -> None:
        """Take one record of the main conversation into account."""
        match record:
            case Assistant():
                message = message_of(record)
                if message.usage is None or message.model in (None, SYNTHETIC):
                    return
                self.model = message.model
                used = _count_sent_tokens(tokens_of(message.usage))
                if used:
                    self.tokens = used
            case System(subtype="compact_boundary"):
                about = record.compact_metadata
                after = about.post_tokens if about else None
                self.tokens = None if after is None else int(after)
            case _:
                return


class Activity:
    """A session while it is watched."""

    def __init__(self, prices: PriceList = PRICES, remembered: int = REMEMBERED) -> None:
        self.main = TurnProgress()
        self.agents: dict[str, TurnProgress] = {}
        self.titles = TitleCollector()
        self.context = ContextTracker()
        self.background = BackgroundWork()
        self.running_cost = RunningCost(prices, remembered)
        self.cwd: str | None = None
        self.git_branch: str | None = None
        self.version: str | None = None
        self.entrypoint: str | None = None
        self.permission_mode: str | None = None
        self.thinking: bool | None = None
        self.records = 0

    @property
    def at(self) -> str | None:
        """Give the newest time of any record, of agents too."""
        return max((c.at for c in (self.main, *self.agents.values()) if c.at), default=None)

    @property
    def thought(self) -> str | None:
        """Give the last thought that was kept: the main conversation's, else an agent's."""
        agents = sorted(self.agents.values(), key=lambda progress: progress.at or "", reverse=True)
        return next((one.thought for one in (self.main, *agents) if one.thought), None)

    @property
    def running_agents(self) -> list[str]:
        """Name the agents that are not done.

        Old clients write no reason with which an agent ends: one that was not started in the
        background is over when the main conversation is asked something new.
        """
        begun = self.main.asked_at or ""
        return [
            agent
            for agent, progress in self.agents.items()
            if progress.phase not in ENDED
            and (agent in self.background.agents or (progress.at or "") >= begun)
        ]

    @property
    def background_agents(self) -> list[str]:
        """Name the agents that work on although the main conversation is at rest.

        An agent that was started in the background and has not ended, or any that has written
        since the turn was over.
        """
        over = self.main.phase_at or ""
        running = self.running_agents
        known = [agent for agent in self.background.agents if agent not in self.agents]
        return known + [
            agent
            for agent in running
            if not agent.startswith(COMPACTING_AGENT)
            and (agent in self.background.agents or (self.agents[agent].at or "") > over)
        ]

    def add(self, record: Record, agent: str | None = None) -> None:
        """Take one record into account; `agent` names the agent whose file it is in."""
        self.records += 1
        inline = agent is None and record.is_sidechain
        for line in read_snapshots((record,), agent=agent is not None):
            self.running_cost.add(line)
        if agent is not None or inline:
            self._progress_of(agent or "inline").add(record)
            return
        self.main.add(record)
        self.titles.add(record)
        self.context.add(record)
        self.background.add(record)
        self.cwd = record.cwd or self.cwd
        self.git_branch = record.git_branch or self.git_branch
        self.version = record.version or self.version
        self.entrypoint = record.entrypoint or self.entrypoint
        self._note_mode(record)

    def _note_mode(self, record: Record) -> None:
        """Note how freely tools may run, and whether the model is to think."""
        if isinstance(record, User | PermissionMode):
            self.permission_mode = record.permission_mode or self.permission_mode
        if isinstance(record, User) and record.thinking_metadata is not None:
            self.thinking = record.thinking_metadata.is_on

    def _progress_of(self, agent: str) -> TurnProgress:
        progress = self.agents.get(agent)
        if progress is None:
            if len(self.agents) >= _MOST_AGENTS:
                del self.agents[min(self.agents, key=self._rank_agent)]
            progress = self.agents[agent] = TurnProgress()
        return progress

    def _rank_agent(self, agent: str) -> tuple[bool, str]:
        """Rank an agent by how soon it is let go: who has ended, then who is silent longest."""
        progress = self.agents[agent]
        return progress.phase not in ENDED, progress.at or ""


def _count_sent_tokens(tokens: Tokens) -> int:
    return tokens.input_tokens + tokens.cache_creation_tokens + tokens.cache_read_tokens
