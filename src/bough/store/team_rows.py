"""What is known of the members of a team, and of what they share."""

from datetime import datetime
from typing import Literal

from msgspec import Struct

MemberRole = Literal["admin", "member", "auditor"]
ShareLevel = Literal["read", "numbers"]


class NewToken(Struct, frozen=True):
    """What a member logs in with, said once."""

    name: str
    role: str
    token: str


class TeamMember(Struct, frozen=True):
    """A member, as others may know them."""

    name: str
    role: str
    added: datetime
    revoked: bool
    machines: int


class ProjectShare(Struct, frozen=True):
    """That somebody may read a project, or know its numbers; of whose folders, `*` is all."""

    member: str
    owner: str
    level: str
    added_by: str
    project: str
