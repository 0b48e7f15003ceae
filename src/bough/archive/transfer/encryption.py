"""Encrypting files for somebody with age, for copies that travel: https://age-encryption.org.

`pyrage` does it (the extra `bough[age]`); whoever encrypts nothing needs none.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from bough.errors import Misuse, Unreadable, reason_of
from bough.files.regular_file import open_regular

ENCRYPTED: Final = ".age"
"""How the name of an encrypted file ends."""
Cipher = Callable[[bytes], bytes]
_LONGEST: Final = 1 << 20
_SSH: Final = ("ssh-ed25519 ", "ssh-rsa ")


def make_encryptor(recipient: str) -> Cipher:
    """Make what encrypts bytes for a recipient: `age1...`, or a public key of SSH.

    Raises:
        Misuse: It is no recipient, or pyrage is not installed.
    """
    age = _load_age()
    wanted = recipient.strip()
    module = age.ssh if wanted.startswith(_SSH) else age.x25519
    try:
        found = module.Recipient.from_str(wanted)
    except (age.RecipientError, ValueError) as error:
        raise Misuse(
            f"{wanted} is not a recipient of age. One looks like age1..., or ssh-ed25519 ..."
        ) from error

    def encrypt(data: bytes) -> bytes:
        encrypted: bytes = age.encrypt(data, [found])
        return encrypted

    return encrypt


def make_decryptor(identity: Path) -> Cipher:
    """Make what decrypts bytes with the keys in a file: of age, or one private key of SSH.

    What it is given raises Misuse where no key fits.

    Raises:
        Misuse: There is no key in it, or pyrage is not installed.
        Unreadable: The file cannot be read.
    """
    age = _load_age()
    keys = _read_keys(age, identity)

    def decrypt(data: bytes) -> bytes:
        try:
            opened: bytes = age.decrypt(data, keys)
        except age.DecryptError as error:
            raise Misuse(f"No key in {identity} opens it: {error}.") from error
        return opened

    return decrypt


def _read_keys(age: Any, identity: Path) -> list[object]:
    try:
        with open_regular(identity) as file:
            data = file.read(_LONGEST) or b""
    except OSError as error:
        raise Unreadable(identity, reason_of(error)) from error
    try:
        if b"PRIVATE KEY" in data:
            return [age.ssh.Identity.from_buffer(data)]
        lines = [line.strip() for line in data.decode().splitlines()]
        keys = [age.x25519.Identity.from_str(line) for line in lines if line and line[0] != "#"]
    except (age.IdentityError, ValueError) as error:
        raise Misuse(f"{identity} holds no key of age: {error}.") from error
    if not keys:
        raise Misuse(f"{identity} holds no key of age.")
    return keys


def _load_age() -> Any:
    try:
        import pyrage  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise Misuse(
            "Encrypting with age needs pyrage, which is not installed: pip install 'bough[age]'."
        ) from error
    return pyrage
