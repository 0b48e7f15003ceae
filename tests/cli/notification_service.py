"""A desktop's notification service on a real D-Bus: takes the name, prints what it is told.

Run it inside `dbus-run-session`. It prints the bus's address once it can be called, then each
notification as a line of JSON. It speaks the protocol itself, so that nothing need be installed.
"""

import json
import os
import socket
import struct
import sys
from typing import Any

NAME = "org.freedesktop.Notifications"
CALL, RETURN, ERROR = 1, 2, 3
PATH, INTERFACE, MEMBER, ERROR_NAME, REPLY_TO, DESTINATION, SENDER, SIGNATURE = range(1, 9)
FIELDS = {PATH: "o", ERROR_NAME: "s", REPLY_TO: "u", DESTINATION: "s", SIGNATURE: "g"}
FIELDS |= {INTERFACE: "s", MEMBER: "s"}
NUMBERS = {"y": ("<B", 1), "b": ("<I", 4), "u": ("<I", 4), "i": ("<i", 4)}


class Values:
    """Reads values of D-Bus types, one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def align(self, size: int) -> None:
        self.at += -self.at % size

    def take(self, kinds: str) -> list[Any]:
        found = []
        while kinds:
            first, kinds = split_type(kinds)
            found.append(self._take_one(first))
        return found

    def _take_one(self, kind: str) -> Any:
        if kind in NUMBERS:
            form, size = NUMBERS[kind]
            self.align(size)
            self.at += size
            return struct.unpack_from(form, self._data, self.at - size)[0]
        if kind in "sog":
            size = self._take_one("y" if kind == "g" else "u")
            self.at += size + 1
            return self._data[self.at - size - 1 : self.at - 1].decode()
        if kind == "v":
            return self._take_one(self._take_one("g"))
        if kind[0] == "a":
            size = self._take_one("u")
            self.align(8 if kind[1] in "({" else 4)
            end, found = self.at + size, []
            while self.at < end:
                found.append(self._take_one(kind[1:]))
            return found
        self.align(8)
        return self.take(kind[1:-1])


def split_type(kinds: str) -> tuple[str, str]:
    """Split the first whole type off a signature."""
    if kinds[0] == "a":
        first, rest = split_type(kinds[1:])
        return "a" + first, rest
    depth = 0
    for place, sign in enumerate(kinds, 1):
        depth += (sign in "({") - (sign in ")}")
        if not depth:
            return kinds[:place], kinds[place:]
    raise ValueError(kinds)


def pack(kind: str, value: str | int) -> bytes:
    if isinstance(value, int):
        return struct.pack("<I", value)
    text = value.encode()
    return struct.pack("<B" if kind == "g" else "<I", len(text)) + text + b"\0"


def message(kind: int, serial: int, fields: dict[int, Any], body: bytes = b"") -> bytes:
    packed = b""
    for code, value in fields.items():
        packed += b"\0" * (-len(packed) % 8)
        packed += bytes([code]) + pack("g", FIELDS[code]) + pack(FIELDS[code], value)
    head = struct.pack("<cBBBIII", b"l", kind, 0, 1, len(body), serial, len(packed)) + packed
    return head + b"\0" * (-len(head) % 8) + body


class Bus:
    """A connection to the bus."""

    def __init__(self, address: str) -> None:
        path = dict(p.split("=", 1) for p in address.partition(":")[2].split(","))
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(path["path"] if "path" in path else "\0" + path["abstract"])
        self._file = self._socket.makefile("rb")
        self._socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode())
        self._socket.sendall(b"\r\n")
        assert self._file.readline().startswith(b"OK")
        self._socket.sendall(b"BEGIN\r\n")
        self._serial = 0

    def send(self, kind: int, fields: dict[int, Any], body: bytes = b"") -> None:
        self._serial += 1
        self._socket.sendall(message(kind, self._serial, fields, body))

    def ask(self, member: str, signature: str = "", body: bytes = b"") -> None:
        bus = "org.freedesktop.DBus"
        fields = {PATH: "/org/freedesktop/DBus", DESTINATION: bus, INTERFACE: bus, MEMBER: member}
        self.send(CALL, fields | ({SIGNATURE: signature} if signature else {}), body)
        while self.receive()[0] != RETURN:
            pass

    def receive(self) -> tuple[int, int, dict[int, Any], list[Any]]:
        head = self._file.read(16)
        if len(head) < 16:
            sys.exit(0)
        _, kind, _, _, size, serial, length = struct.unpack("<cBBBIII", head)
        rest = self._file.read(length + -length % 8)
        values = Values(head[12:] + b"\0" * 4 + rest[:length])
        # The fields begin at a multiple of eight, so they stand there here too.
        values.at = 8
        fields: dict[int, Any] = {}
        while values.at < 8 + length:
            values.align(8)
            code, value = values.take("yv")
            fields[code] = value
        body = Values(self._file.read(size)).take(fields.get(SIGNATURE, ""))
        return kind, serial, fields, body


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    address = os.environ["DBUS_SESSION_BUS_ADDRESS"]
    bus = Bus(address)
    bus.ask("Hello")
    bus.ask(
        "RequestName", "su", pack("s", NAME) + b"\0" * (-len(pack("s", NAME)) % 4) + pack("u", 0)
    )
    say(address)
    while True:
        kind, serial, fields, body = bus.receive()
        if kind != CALL:
            continue
        reply = {REPLY_TO: serial, DESTINATION: fields[SENDER]}
        if fields[MEMBER] == "Notify" and fields[INTERFACE] == NAME:
            say(json.dumps(body))
            bus.send(RETURN, reply | {SIGNATURE: "u"}, pack("u", 1))
        else:
            bus.send(ERROR, reply | {ERROR_NAME: "org.freedesktop.DBus.Error.UnknownMethod"})


if __name__ == "__main__":
    main()
