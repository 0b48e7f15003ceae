"""What of records a team's store keeps as JSON, for questions: all, envelopes or nothing.

An admin chooses once for the server, and whoever sends asks what was chosen. Where less is to be
kept than before, the rest is removed at once; where more is, what is sent from then on has it.
"""

from typing import Final

from bough.store.postgres.server_connection import ServerConnection
from bough.store.team_rows import JsonChoice

_READ: Final = "select value from meta where key = 'json'"
_SET: Final = """
    insert into meta values ('json', %s) on conflict (key) do update set value = excluded.value
"""
_OPEN_ENVELOPES: Final = """
    update body set bodies = (
        select jsonb_object_agg(one.key, case jsonb_typeof(one.value) when 'object' then
            case jsonb_typeof(one.value -> 'message') when 'object' then
                one.value - array['content', 'toolUseResult']
                    || jsonb_build_object('message',
                        (one.value -> 'message') - array['content', 'toolUseResult'])
                else one.value - array['content', 'toolUseResult'] end
            else '{}' end)
        from jsonb_each(bodies) one)
"""


def read_json_choice(connection: ServerConnection) -> JsonChoice:
    """Read what is kept."""
    row = connection.fetch_one(_READ)
    choice: JsonChoice = row[0] if row and row[0] in ("envelope", "none") else "body"
    return choice


def set_json_choice(connection: ServerConnection, choice: JsonChoice) -> None:
    """Say what is to be kept, and remove what is more than that; in one transaction."""
    before = read_json_choice(connection)
    with connection.transaction():
        connection.run(_SET, [choice])
        if choice == "none":
            connection.run("truncate body")
        elif (before, choice) == ("body", "envelope"):
            # Its owner passes a policy that is not forced.
            connection.run("alter table body no force row level security")
            connection.run(_OPEN_ENVELOPES)
            connection.run("alter table body force row level security")
