#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Seals a payload with seal-payload and posts it with curl: one line, with its checks.
#   post.sh URL TOPIC RECIPIENT [seal-payload's options] <payload.json
# URL is that of a gateway or of APNs, as in http://127.0.0.1:8443/3/device/TOKEN.
set -eu

if [ $# -lt 3 ]; then
    echo 'post: error: at least three arguments: URL, topic, the recipient'"'"'s public key' >&2
    exit 2
fi
url=$1 topic=$2 recipient=$3
shift 3
# Taken whole before anything is sent: if sealing fails, nothing is posted.
body=$(seal-payload -r "$recipient" --topic "$topic" "$@")
case $url in
https:*) version=--http2 ;;
*) version=--http2-prior-knowledge ;;
esac
printf '%s' "$body" | curl --fail --silent --show-error "$version" -H "apns-topic: $topic" --data-binary @- "$url"
