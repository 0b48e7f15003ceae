"""What a compaction kept as it was said.

Kept messages stand before the boundary in the file; clients put them after the summary.
"""

from bough.records.types import System


def list_preserved_uuids(boundary: System) -> list[str]:
    """List the uuids of the messages that a compaction kept."""
    metadata = boundary.compact_metadata
    if metadata is None:
        return []
    kept, segment = metadata.preserved_messages, metadata.preserved_segment
    uuids = [*kept.uuids, *kept.all_uuids] if kept is not None else []
    if segment is not None:
        uuids += [uuid for uuid in (segment.head_uuid, segment.tail_uuid) if uuid]
    return list(dict.fromkeys(uuids))
