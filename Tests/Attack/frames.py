# SPDX-License-Identifier: Apache-2.0
"""Bytes of HTTP/2 and HTTP/1.1 that no library sends, and sockets that send them until the host hangs up."""

import socket
import struct

DATA, HEADERS, PRIORITY, RESET, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM, ACK, END_HEADERS, PADDED, WITH_PRIORITY = 1, 1, 4, 8, 0x20


def frame(kind, flags=0, stream=0, body=b""):
    return struct.pack(">I", len(body))[1:] + struct.pack(">BBI", kind, flags, stream) + body


def field(name, value):
    """A literal that the table of header compression does not keep."""
    def text(data):
        return (bytes([len(data)]) if len(data) < 127 else b"\x7f" + integer(len(data) - 127)) + data
    return b"\0" + text(name) + text(value)


def integer(value):
    """What follows a full prefix (RFC 7541, Section 5.1)."""
    out = b""
    while value >= 128:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def head(token="00" * 32, topic=b"com.example.nobody", more=b""):
    # :method POST and :scheme http are entries of the static table, :path has its name there.
    path = f"/3/device/{token}".encode()
    return b"\x83\x86\x04" + bytes([len(path)]) + path + field(b"apns-topic", topic) + more


PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS)


class Stranger:
    """A connection whose sends and reads stop, without an error, where the host ends it."""

    def __init__(self, address, source=None, timeout=10):
        self.is_open = True
        try:
            self.socket = socket.create_connection(address, timeout, (source, 0) if source else None)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError:
            self.is_open = False

    def send(self, data):
        """False when the host has hung up, or has read nothing for the timeout."""
        try:
            if self.is_open:
                self.socket.sendall(data)
        except OSError:
            self.is_open = False
        return self.is_open

    def read(self, count=65536):
        try:
            return self.socket.recv(count) if self.is_open else b""
        except OSError:
            return b""

    def reset(self):
        """Ends it with RST instead of FIN."""
        if hasattr(self, "socket"):
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close()

    def close(self):
        self.is_open = False
        if hasattr(self, "socket"):
            self.socket.close()


def pour(address, pieces, settle=True):
    """Sends what the generator gives on one connection, reading nothing but what is there; closes it."""
    # A host that reads no more has had enough; there is no need to wait for more than that.
    stranger = Stranger(address, timeout=1)
    for piece in pieces:
        if not stranger.send(piece):
            break
        if settle:
            drain(stranger)
    stranger.close()


def drain(stranger):
    """Reads what has come, so that full buffers end no attack early."""
    try:
        while stranger.socket.recv(65536, socket.MSG_DONTWAIT):
            pass
    except (BlockingIOError, OSError):
        pass
