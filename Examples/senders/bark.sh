#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Seals a payload in the format bark-cbc with nothing but openssl: all that a shell can seal.
#   bark.sh KEY-FILE <payload.json >body.json
# KEY-FILE holds one line, the key: 16, 24 or 32 printable characters, which the receiver has as "bark-cbc: KEY".
#
# AES-CBC is NOT authenticated: whoever carries the message can change it. The receiver says so ("authenticated": false)
# and takes it only if its policy lists bark-cbc. Where it matters, use seal-payload, as post.sh does.
set -eu

if [ $# -ne 1 ] || [ ! -r "$1" ]; then
    echo 'bark: error: one argument, a file with the key' >&2
    exit 2
fi
key=$(head -n 1 "$1")
case ${#key} in
16 | 24 | 32) ;;
*)
    echo "bark: error: the key has ${#key} characters, expected 16, 24 or 32" >&2
    exit 1
    ;;
esac

hex() { od -An -v -tx1 | tr -d ' \n'; }
# 16 characters of the iv are 16 bytes of AES; a fresh one for each message, which also makes it known again.
iv=$(openssl rand -hex 8)
# openssl takes the key as an argument: on a machine with other users they can see it while it runs.
ciphertext=$(openssl enc -aes-$((${#key} * 8))-cbc -K "$(printf %s "$key" | hex)" -iv "$(printf %s "$iv" | hex)" \
    -base64 -A)
printf '{"aps":{"alert":{"body":"New notification"},"mutable-content":1},"ciphertext":"%s","iv":"%s"}\n' \
    "$ciphertext" "$iv"
