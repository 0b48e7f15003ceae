"""What a person and the model say: prompts, answers, thinking, tool calls and their results.

Lines of one API message share `message.id`. The rule here is the client's: thinking opens a
message, text after it and tool calls after either belong to the same one; text after text, and
anything after a result or a prompt, opens a new one.
"""

from collections.abc import Sequence
from typing import Self

from bough.errors import Misuse
from bough.sample.builder.base import SessionDraft
from bough.sample.data import blocks
from bough.sample.data import client_versions as eras
from bough.sample.data.blocks import Content, Json
from bough.sample.data.records import ABSENT, SampleFacts

_MESSAGE_FIELDS = frozenset(
    {
        "id",
        "model",
        "usage",
        "stop_reason",
        "stop_sequence",
        "stop_details",
        "diagnostics",
        "context_management",
        "container",
    }
)
SYNTHETIC = "<synthetic>"
"""The model of answers the client made up."""
_THINKING_TYPES = frozenset({"thinking", "redacted_thinking"})


class MessageDraft:
    """The API message that is being written."""

    def __init__(self, message_id: str, request_id: str) -> None:
        self.id = message_id
        self.request_id = request_id
        self.lines: list[Json] = []
        self.bodies: list[Json] = []
        self.tail: str | None = None
        self.closed = False
        self.counts: Json = {}
        self.spoken = 0


class MessageSteps(SessionDraft):
    """Steps of a conversation."""

    def __init__(self, facts: SampleFacts) -> None:
        super().__init__(facts)
        self._message: MessageDraft | None = None
        self._context = 16_000
        self._unread = 0

    # prompts

    def user(self, content: Content, *, name: str | None = None, **fields: object) -> Self:
        """Write a prompt a person typed, with or without images and documents."""
        self.open_prompt()
        typed = eras.typed_prompt_fields(
            self.facts.version, self.facts.permission_mode, self.prompts
        )
        if isinstance(content, list) and any(block["type"] == "image" for block in content):
            typed = {"imagePasteIds": [1]} | typed
        return self.user_record(content, name=name, **(typed | fields))

    def user_record(self, content: Content, *, name: str | None = None, **fields: object) -> Self:
        """Write a user record of any kind, without the fields of a typed prompt."""
        self._unread += len(str(content)) // 4
        message: Json = {"role": "user", "content": content}
        prompt_id = self.prompt_id if self.is_since("2.1.74") and self.prompt_id else ABSENT
        lead: Json = {"promptId": prompt_id, "message": message}
        return self.node("user", name=name, **(lead | fields))

    def open_prompt(self) -> Self:
        """Begin what one prompt causes: later user records carry its id."""
        self.prompts += 1
        self.prompt_id = self.mint("uuid")
        return self

    def interrupt(
        self, *, in_tool: bool = False, name: str | None = None, **fields: object
    ) -> Self:
        """Write the notice that the person stopped the model."""
        words = (
            "[Request interrupted by user for tool use]"
            if in_tool
            else ("[Request interrupted by user]")
        )
        if self.is_since("2.1.150") and not in_tool and self._message is not None:
            fields = {"interruptedMessageId": self._message.id} | fields
        return self.user_record([blocks.text(words)], name=name, **fields)

    # answers

    def assistant(self, *said: str | Json, name: str | None = None, **fields: object) -> Self:
        """Write an answer of the model, one line for each block."""
        message = self.find_open_message()
        if message is None or any(line["type"] not in _THINKING_TYPES for line in message.lines):
            message = self.start_message()
        return self.write_blocks(message, _as_blocks(said), name, fields)

    def thinking(self, words: str = "", *, name: str | None = None, **fields: object) -> Self:
        """Write thinking; without words only its signature is kept."""
        return self.write_blocks(self.start_message(), [blocks.thinking(words)], name, fields)

    def redacted_thinking(self, *, name: str | None = None, **fields: object) -> Self:
        """Write thinking whose text was withheld."""
        return self.write_blocks(self.start_message(), [blocks.redacted_thinking()], name, fields)

    def continue_message(
        self, *said: str | Json, name: str | None = None, **fields: object
    ) -> Self:
        """Write further lines of the last message, whatever lies between."""
        if self._message is None:
            raise Misuse("There is no message to continue.")
        return self.write_blocks(self._message, _as_blocks(said), name, fields)

    def api_error(
        self, words: str = "API Error: Overloaded", *, name: str | None = None, **fields: object
    ) -> Self:
        """Write the answer the client makes up when the API gave none."""
        kind: Json = {"isApiErrorMessage": True}
        if self.is_since("2.0.74"):
            kind = {"error": "rate_limit"} | kind
        return self.synthetic_answer(words, name=name, **(kind | fields))

    def synthetic_answer(
        self, words: str = "No response requested.", *, name: str | None = None, **fields: object
    ) -> Self:
        """Write an answer the client made up."""
        made_up: Json = {
            "id": self.mint("uuid"),
            "model": SYNTHETIC,
            "stop_reason": "stop_sequence",
            "stop_sequence": "",
            "usage": {"input_tokens": 0, "output_tokens": 0},
            "container": None,
            "context_management": None if self.is_since("2.0.76") else ABSENT,
            "requestId": ABSENT,
            "isApiErrorMessage": False,
        }
        message = self.start_message()
        self.write_blocks(message, [blocks.text(words)], name, made_up | fields)
        message.closed = True
        return self

    # one message, many lines

    def find_open_message(self) -> MessageDraft | None:
        """Give the message the cursor stands on, when more of it may follow."""
        message = self._message
        if message is None or message.closed or message.tail != self.cursor:
            return None
        return message

    def start_message(self) -> MessageDraft:
        """Open a new message."""
        self._message = MessageDraft(self.mint("msg"), self.mint("req"))
        return self._message

    def write_blocks(
        self, message: MessageDraft, said: list[Json], name: str | None, fields: Json
    ) -> Self:
        """Write blocks as lines of a message; the name goes to the last of them."""
        of_message = {key: value for key, value in fields.items() if key in _MESSAGE_FIELDS}
        of_record = {key: value for key, value in fields.items() if key not in _MESSAGE_FIELDS}
        for number, block in enumerate(said):
            last = number == len(said) - 1
            body = self._make_body(message, block, of_message, last=last)
            extra = eras.answer_fields(
                self.facts.version, len(message.lines), message.request_id, self.facts.model
            )
            if body["model"] == SYNTHETIC:
                extra = {}
            record: Json = {"message": body, "requestId": message.request_id} | extra | of_record
            self.node("assistant", name=name if last else None, **record)
            message.lines.append(block)
            message.bodies.append(body)
            message.tail = self.cursor
        return self

    def _make_body(self, message: MessageDraft, block: Json, given: Json, *, last: bool) -> Json:
        version = self.facts.version
        if message.bodies and "stop_reason" not in given:
            message.bodies[-1]["stop_reason"] = None
        counts = given.get("usage")
        counted = self._count_tokens(message, block)
        if isinstance(counts, dict):
            counted = _cut_output(counts, last=last)
        body: Json = {
            "id": message.id,
            "type": "message",
            "role": "assistant",
            "model": self.facts.model,
            "content": [block],
            "stop_reason": eras.stop_reason(version, block, last=last),
            "stop_sequence": None,
        }
        body |= (
            eras.message_extras(version) | given | {"usage": eras.complete_usage(version, counted)}
        )
        return {key: value for key, value in body.items() if value is not ABSENT}

    def _count_tokens(self, message: MessageDraft, block: Json) -> Json:
        """Count tokens: what was said before is read from the cache, what is new is written.

        The lines of one message repeat the same input; the output grows from line to line, and
        only the last has all of it.
        """
        words = len(str(block)) // 4 + 1
        if not message.lines:
            message.counts = {
                "cache_creation_input_tokens": self._unread,
                "cache_read_input_tokens": self._context,
            }
            self._context += self._unread
            self._unread = 0
        self._unread += words
        message.spoken += words
        return message.counts | {"output_tokens": message.spoken}


def _cut_output(counts: Json, *, last: bool) -> Json:
    """Cut the output of a line that is not the last of its message."""
    final = counts.get("output_tokens")
    if last or not isinstance(final, int):
        return counts
    return counts | {"output_tokens": min(8, final)}


def _as_blocks(said: Sequence[str | Json]) -> list[Json]:
    return [blocks.text(each) if isinstance(each, str) else each for each in said]
