"""A network between a client and a database that breaks off after so many bytes."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_PIECE = 65_536


class DroppingProxy:
    """Passes bytes on to a socket of the file system, until `left` of them have passed."""

    def __init__(self, target: str) -> None:
        self._target = target
        self.left = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Let go of everything."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._drop()
        self._thread.join(10)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(self._target)
            self._open += [client, server]
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(_PIECE):
                self.left -= len(data)
                if self.left < 0:
                    break
                sink.sendall(data)
        self._drop(source, sink)

    def _drop(self, *pair: socket.socket) -> None:
        for one in pair or tuple(self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


@contextmanager
def dropping_proxy(target: str) -> Iterator[DroppingProxy]:
    """Lend a proxy."""
    proxy = DroppingProxy(target)
    try:
        yield proxy
    finally:
        proxy.close()
