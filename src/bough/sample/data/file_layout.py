"""Where the client puts what it writes, below its configuration folder.

Written again here rather than shared with the reader: a sample that asks the code under test
where to put its files would agree with it even when both are wrong.
"""

_LONGEST = 200


def encode_folder_name(cwd: str) -> str:
    """Encode a working folder as the client names the project's folder."""
    units = cwd.encode("utf-16-le")
    codes = [int.from_bytes(units[i : i + 2], "little") for i in range(0, len(units), 2)]
    name = "".join(chr(code) if _is_plain(code) else "-" for code in codes)
    if len(name) <= _LONGEST:
        return name
    return f"{name[:_LONGEST]}-{_format_base36(abs(_hash_utf16(codes)))}"


def _is_plain(code: int) -> bool:
    return code < 128 and chr(code).isalnum()


def _hash_utf16(codes: list[int]) -> int:
    """Hash UTF-16 units with multiplier 31 into a signed 32-bit number."""
    value = 0
    for code in codes:
        value = (value * 31 + code) & 0xFFFFFFFF
    return value - 0x100000000 if value & 0x80000000 else value


def _format_base36(number: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    text = ""
    while True:
        number, digit = divmod(number, 36)
        text = digits[digit] + text
        if number == 0:
            return text
