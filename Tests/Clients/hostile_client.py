#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends over HTTP/2 in plaintext what no library sends; the server may end the connection at any time.

  straddle  300 MB in long frames of an unknown type, so that no write ends where a frame ends
  reset     300 connections with the preface and more, each reset at once

Example: hostile_client.py --port 8443 straddle
"""
import argparse
import socket
import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
UNKNOWN = struct.pack(">I", 16_000)[1:] + bytes([0xFA, 0, 0, 0, 0, 0]) + b"x" * 16_000


def connect(port):
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def straddle(port):
    connection = connect(port)
    connection.sendall(PREFACE + UNKNOWN[:8_000])
    piece = (UNKNOWN * 4)[8_000 : 8_000 + 3 * len(UNKNOWN)]
    for _ in range(300_000_000 // len(piece)):
        connection.sendall(piece)


def reset(port):
    for _ in range(300):
        connection = connect(port)
        try:
            connection.sendall(PREFACE + b"\0" * 60_000)
        except ConnectionError:
            pass
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("attack", choices=["straddle", "reset"])
    options = parser.parse_args()
    try:
        {"straddle": straddle, "reset": reset}[options.attack](options.port)
    except ConnectionError:
        pass


main()
