"""Very long texts are cut, before they are opened and after."""

from bough.model.conversation.content import TextBlock
from bough.model.interpret.message_kinds import BlockType
from bough.tui.conversation.message_items import truncate_block


def test_a_long_text_is_cut_until_it_is_opened_and_an_endless_one_for_the_pager() -> None:
    text = "word " * 200_000

    folded, opened = (truncate_block(_block(text), whole=whole) for whole in (False, True))

    assert isinstance(folded, TextBlock)
    assert folded.text.endswith("\n\u2026 988,000 more characters: l")
    assert isinstance(opened, TextBlock)
    assert opened.text.endswith("\n\u2026 500,000 more characters: v")


def test_a_text_that_is_opened_is_whole_as_far_as_people_write() -> None:
    block = _block("word " * 50_000)

    assert truncate_block(block, whole=True) is block


def _block(text: str) -> TextBlock:
    return TextBlock(BlockType.TEXT, text)
