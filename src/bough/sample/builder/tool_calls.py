"""Tool calls and their results, one at a time and several at once.

One message may hold several calls. They are written as a chain, each result under its own call,
and the next answer under the result written last: a walk from the end to the start misses the
other results, which is why readers must join results to calls by id.
"""

from collections.abc import Mapping, Sequence
from typing import Self

from bough.sample.builder.base import StepRef
from bough.sample.builder.messages import MessageDraft, MessageSteps
from bough.sample.data import blocks
from bough.sample.data import tool_results as outcomes
from bough.sample.data.blocks import Content, Json
from bough.sample.data.records import ABSENT, SampleFacts
from bough.sample.data.tool_results import SampleCall

PREVIEW_LENGTH = 2000
"""How much of an output that was moved to a file stays in the line."""


class ToolCallSteps(MessageSteps):
    """Steps in which the model uses tools."""

    def __init__(self, facts: SampleFacts) -> None:
        super().__init__(facts)
        self._callers: dict[str, str] = {}

    def tool(
        self,
        tool: str,
        given: Mapping[str, object],
        result: Content | None = "",
        *,
        name: str | None = None,
        **fields: object,
    ) -> Self:
        """Write a tool call and its result; `result=None` leaves the call without an answer.

        The result is named `<name>.result`. Fields: is_error, seconds, structured (the copy in
        toolUseResult), anything else goes into the result's record.
        """
        return self.tools(
            SampleCall(
                tool=tool,
                given=given,
                result=result,
                name=name,
                is_error=bool(fields.pop("is_error", False)),
                seconds=_to_float(fields.pop("seconds", 0.2)),
                structured=fields.pop("structured", None),
                fields=fields,
            )
        )

    def tools(
        self,
        *calls: SampleCall,
        order: Sequence[int] | None = None,
        interleaved: bool = False,
        **fields: object,
    ) -> Self:
        """Write calls of one message, as clients do for parallel calls.

        The calls are chained; each result hangs on its own call; what follows hangs on the result
        written last. `order` says in which order the results come, counted from 0. With
        `interleaved` each result is written before the next call.
        """
        message = self.find_open_message() or self.start_message()
        ids = []
        for number, call in enumerate(calls):
            ids.append(self.ask(call, message=message, **fields))
            last = number == len(calls) - 1
            if interleaved and not last:
                self.reply(ids[number], call)
                self.cursor = message.tail
        pending = range(len(calls) - 1, len(calls)) if interleaved else range(len(calls))
        for number in order if order is not None else pending:
            self.reply(ids[number], calls[number])
        return self

    def ask(
        self, call: SampleCall, *, message: MessageDraft | None = None, **fields: object
    ) -> str:
        """Write one tool call and give its id; the result may be written later with `reply`."""
        tool_id = self.mint("toolu")
        block = blocks.tool_use(tool_id, call.tool, call.given, caller=self.is_since("2.1.25"))
        self.write_blocks(
            message or self.find_open_message() or self.start_message(), [block], call.name, fields
        )
        self._callers[tool_id] = str(self.cursor)
        return tool_id

    def reply(self, tool_id: str, call: SampleCall, *, under: StepRef = None) -> Self:
        """Write the result of a call under that call; a call whose result is None gets none."""
        if call.result is None:
            return self
        caller = self._callers[tool_id]
        self.cursor = caller if under is None else self.uuid(under)
        self.wait(call.seconds)
        is_error = True if call.is_error else (False if call.tool == "Bash" else None)
        fields: Json = {"toolUseResult": self.structured_copy_of(call)}
        if self.is_since("2.1.1"):
            fields["sourceToolAssistantUUID"] = caller
        name = None if call.name is None else f"{call.name}.result"
        block = blocks.tool_result(tool_id, call.result, is_error=is_error)
        self.user_record([block], name=name, **(fields | dict(call.fields)))
        return self

    def structured_copy_of(self, call: SampleCall) -> object:
        """Give the structured copy; agents' files leave it out when all went well."""
        if self.facts.agent_id is not None and self.is_since("2.1.14") and not call.is_error:
            return ABSENT
        return outcomes.build_structured(call)

    def big_result(
        self,
        tool: str,
        given: Mapping[str, object],
        output: str,
        *,
        name: str | None = None,
        **fields: object,
    ) -> Self:
        """Write a call whose output was too large and lies in a file of its own."""
        stem = self.mint("hex")[:9]
        place = f"{self.session_id}/tool-results/{stem}.txt"
        self.companions[place] = output.encode()
        size = f"{len(output) / 1024:.1f}KB"
        result = (
            f"<persisted-output>\nOutput too large ({size}). Full output saved to: "
            f"{self.machine_folder()}/{place}\n\nPreview (first 2KB):\n"
            f"{output[:PREVIEW_LENGTH]}\n...\n</persisted-output>"
        )
        return self.tool(tool, given, result, name=name, **fields)


def _to_float(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
