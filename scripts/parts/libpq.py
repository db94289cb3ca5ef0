# SPDX-License-Identifier: Apache-2.0
"""Calls of the functions of a fleet's schema over libpq, prepared and in binary format, as a host makes them."""
import ctypes
import struct
import time


class Failure(Exception):
    """A call that the server refused, or a connection that could not be made."""


def load():
    library = ctypes.CDLL("libpq.so.5")
    pointer, integer, text = ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p
    for name, result, *arguments in [
        ("PQconnectdb", pointer, text), ("PQstatus", integer, pointer), ("PQerrorMessage", text, pointer),
        ("PQbackendPID", integer, pointer), ("PQfinish", None, pointer), ("PQexec", pointer, pointer, text),
        ("PQclear", None, pointer),
        ("PQprepare", pointer, pointer, text, text, integer, pointer), ("PQresultStatus", integer, pointer),
        ("PQexecPrepared", pointer, pointer, text, integer, pointer, pointer, pointer, integer),
        ("PQresultErrorMessage", text, pointer), ("PQntuples", integer, pointer),
        ("PQgetvalue", pointer, pointer, integer, integer), ("PQgetlength", integer, pointer, integer, integer),
    ]:
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


# Values in PostgreSQL's binary format; the object identifiers of types are the same in every server.

def boolean(value):
    return bytes([value])


def int16(value):
    return struct.pack(">h", value)


def int32(value):
    return struct.pack(">i", value)


def int64(value):
    return struct.pack(">q", value)


def double(value):
    return struct.pack(">d", value)


def array(kind, values):
    """An array of one dimension without nulls, of values that are encoded."""
    if not values:
        return struct.pack(">iii", 0, 0, kind)
    parts = [struct.pack(">iiiii", 1, 0, kind, len(values), 1)]
    for value in values:
        parts += [struct.pack(">i", len(value)), value]
    return b"".join(parts)


def booleans(values):
    return array(16, [boolean(value) for value in values])


def byte_arrays(values):
    return array(17, values)


def int64s(values):
    return array(20, [int64(value) for value in values])


def int16s(values):
    return array(21, [int16(value) for value in values])


def texts(values):
    return array(25, [value.encode() for value in values])


class Connection:
    """One connection, for one thread; `seconds` has how long each call of a function took."""

    def __init__(self, conninfo):
        self.library, self.prepared, self.seconds = load(), set(), {}
        self.connection = self.library.PQconnectdb(conninfo.encode())
        if self.library.PQstatus(self.connection) != 0:
            raise Failure(self.library.PQerrorMessage(self.connection).decode().strip())
        # Both servers have the row before a call returns, whatever the role's settings are.
        self.library.PQclear(self.library.PQexec(self.connection, b"SET synchronous_commit = on; SET jit = off"))

    def close(self):
        self.library.PQfinish(self.connection)

    def process(self):
        """The server's process for this connection."""
        return self.library.PQbackendPID(self.connection)

    def call(self, function, *values):
        """Calls a function of the schema and returns its rows; None is null."""
        count = len(values)
        if (function, count) not in self.prepared:
            marks = ", ".join(f"${number + 1}" for number in range(count))
            statement = f"SELECT * FROM nestbox.{function}({marks})".encode()
            name = f"{function}{count}".encode()
            self.checked(self.library.PQprepare(self.connection, name, statement, 0, None)).close()
            self.prepared.add((function, count))
        pointers = (ctypes.c_char_p * count)(*values)
        lengths = (ctypes.c_int * count)(*[len(value or b"") for value in values])
        formats = (ctypes.c_int * count)(*[1] * count)
        begin = time.monotonic()
        result = self.library.PQexecPrepared(
            self.connection, f"{function}{count}".encode(), count, pointers, lengths, formats, 1)
        self.seconds.setdefault(function, []).append(time.monotonic() - begin)
        return self.checked(result)

    def checked(self, result):
        # 1: a command is done; 2: there are rows.
        if self.library.PQresultStatus(result) not in (1, 2):
            words = self.library.PQresultErrorMessage(result) or self.library.PQerrorMessage(self.connection)
            self.library.PQclear(result)
            raise Failure(words.decode().strip())
        return Rows(self.library, result)


class Rows:
    """The rows of an answer; whoever has read them closes them."""

    def __init__(self, library, result):
        self.library, self.result = library, result

    def __len__(self):
        return self.library.PQntuples(self.result)

    def number(self, row, column):
        length = self.library.PQgetlength(self.result, row, column)
        return int.from_bytes(ctypes.string_at(self.library.PQgetvalue(self.result, row, column), length), "big",
                              signed=True)

    def column(self, column):
        return [self.number(row, column) for row in range(len(self))]

    def close(self):
        self.library.PQclear(self.result)
