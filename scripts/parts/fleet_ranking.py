# SPDX-License-Identifier: Apache-2.0
"""Which host holds which partition: Sources/Fleet/Partition.swift and PartitionRanking.swift in Python."""
import hashlib
import math

PARTITIONS = 1024


def head(text):
    """The first eight bytes of SHA-256 over a text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def partition(token):
    """The partition of a device token."""
    return head("nestbox-part" + token) >> 54


def score(part, host, weight=1.0):
    """The host with the highest score is the first for a partition."""
    # 53 bits in the middle of their interval: neither 0 nor 1.
    drawn = ((head(f"nestbox-weight {part} {host}") >> 11) + 0.5) / 2**53
    return -weight / math.log(drawn)


def rank(part, host, weights):
    """The number of hosts that come before one for a partition; `weights` has the weight of each host."""
    own = score(part, host) * weights[host]
    count = 0
    for other, weight in weights.items():
        theirs = score(part, other) * weight
        count += other != host and (theirs > own or (theirs == own and other < host))
    return count


class Growth:
    """The shares of hosts of one weight that join one after the other."""

    def __init__(self):
        self.hosts, self.first, self.best = [], [None] * PARTITIONS, [-1.0] * PARTITIONS

    def join(self, host):
        self.hosts.append(host)
        for part in range(PARTITIONS):
            own = score(part, host)
            if own > self.best[part] or (own == self.best[part] and host < self.first[part]):
                self.first[part], self.best[part] = host, own

    def shares(self):
        """The partitions that each host holds."""
        counts = dict.fromkeys(self.hosts, 0)
        for host in self.first:
            counts[host] += 1
        return counts
