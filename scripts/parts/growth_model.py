# SPDX-License-Identifier: Apache-2.0
"""What a fleet of so many hosts can do, computed from what its parts cost; without a clock and without a process."""
import dataclasses
import json

from fleet_ranking import PARTITIONS, Growth

# Of a host: connections to the database (FleetHost.connectionCount and one for device tokens), readings of all its
# partitions a second (FleetReader.pause), keys and openings that it keeps (RepeatMemory, OpenedMemory), keys of a
# sealed push (PushKeys).
CONNECTIONS, POLLS_PER_SECOND = 7, 5
REMEMBERED_KEYS, REMEMBERED_OPENINGS, KEYS_PER_PUSH = 4_000_000, 1_000_000, 2
DAY = 86_400

# Members among which a beat is measured. Most of its work grows with them, and not evenly: PostgreSQL changes its plans
# with the size of the table of sessions. Hosts switch jit off, which would compile these statements from about 20 on.
BEATS = [2, 10, 30, 90, 100]
# What a costs file must have. Each is a number above zero, in bounds in which no result is too large for a float.
LEAST, MOST = 1e-6, 1e15
NUMBERS = [
    "primaryMicroseconds", "standbyMicroseconds", "logBytes", "endMicroseconds", "pollMicrosecondsOf16",
    "pollMicrosecondsOf256", "pollMicrosecondsOf1024", "tokenBytes", "openedBytes", "seenBytes", "takeOverPushes",
    "takeOverSeconds", "hostMicroseconds", "hostThreadMicroseconds", *(f"beatMicrosecondsOf{count}" for count in BEATS),
]


class Wrong(Exception):
    """Costs that cannot be used, and what to do about it."""

    def __init__(self, what, hint="scripts/fleet-growth measure PROGRAMS > costs.json"):
        super().__init__(what)
        self.hint = hint


@dataclasses.dataclass
class Plan:
    """What is planned with: machines, shares of them, and what senders ask for."""
    cores: int = 16
    database_cores: int = 16
    # The parts of a processor that are planned with: what comes in bursts needs the rest.
    host_share: float = 0.7
    database_share: float = 0.5
    log_megabytes: float = 130
    # max_connections of packaging/fleet/postgresql.conf is 200, of which three are a superuser's.
    connections: int = 197
    devices_per_push: float = 1_000
    lifetimes: tuple = (3_600, 30 * DAY)
    prefix: str = "host"


def read(path):
    """The costs of a file; `Wrong` if one is missing or is not a number above zero."""
    try:
        with open(path) as file:
            costs = json.load(file)
    except OSError as error:
        raise Wrong(f'the costs file "{path}" cannot be read: {error.strerror.lower()}') from None
    except (ValueError, RecursionError):
        raise Wrong(f'the costs file "{path}" is not JSON') from None
    return check(costs, path)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def shown(value):
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:40] + "…"


def check(costs, path):
    if not isinstance(costs, dict):
        raise Wrong(f'the costs file "{path}" is not a JSON object')
    for name in NUMBERS:
        if name not in costs:
            raise Wrong(f'the costs file "{path}" has no "{name}"')
        if not is_number(costs[name]) or not LEAST <= costs[name] <= MOST:
            raise Wrong(f'"{name}" in the costs file "{path}" is {shown(costs[name])}, and must be a number above '
                        f"zero, from {LEAST:g} to {MOST:g}")
    load = costs.get("loadBefore", 0)
    if not is_number(load) or not 0 <= load <= MOST:
        raise Wrong(f'"loadBefore" in the costs file "{path}" is {shown(load)}, and must be a number from 0 on')
    return costs


def line(few, cost_of_few, many, cost_of_many):
    """What is paid in any case, and for each, if the cost grows evenly between two counts."""
    each = max(0, (cost_of_many - cost_of_few) / (many - few))
    return max(0, cost_of_few - few * each), each


def beat_cost(costs, hosts):
    """Microseconds of a beat among so many members, between two counts that were measured by a straight line."""
    few = max([count for count in BEATS if count <= hosts], default=BEATS[0])
    many = min([count for count in BEATS if count > few], default=None)
    known = costs[f"beatMicrosecondsOf{few}"]
    if hosts <= few or many is None:
        return known
    return known + (costs[f"beatMicrosecondsOf{many}"] - known) * (hosts - few) / (many - few)


def host_limits(costs, plan):
    """Pushes a second that each part of a host allows."""
    second = 1e6 * plan.host_share
    return {
        "cores of a host": plan.cores * second / costs["hostMicroseconds"],
        "one thread of a host": second / costs["hostThreadMicroseconds"],
        "a host's writer of ends": second / costs["endMicroseconds"],
    }


def standing_cores(costs, hosts, partitions=PARTITIONS):
    """Processors of a database's primary that hosts take without a push: each reads its partitions, and beats."""
    call, each = line(16, costs["pollMicrosecondsOf16"], 1024, costs["pollMicrosecondsOf1024"])
    polls = POLLS_PER_SECOND * (hosts * call + partitions * each)
    return (polls + hosts * beat_cost(costs, hosts)) / 1e6


def database_limits(costs, plan, hosts, databases=1):
    """Pushes a second that each part of one database allows, if so many share the partitions."""
    free = plan.database_cores * plan.database_share - standing_cores(costs, hosts, PARTITIONS / databases)
    return {
        "processors of the database": max(0, free) * 1e6 / costs["primaryMicroseconds"],
        "log of the database": plan.log_megabytes * 1e6 / costs["logBytes"],
    }


def least(limits):
    name = min(limits, key=limits.get)
    return name, limits[name]


def databases_for(costs, plan, hosts, rate):
    """The databases that so many pushes a second need; None if even one a partition is too little."""
    for count in range(1, PARTITIONS + 1):
        if count * least(database_limits(costs, plan, hosts, count))[1] >= rate:
            return count
    return None


def simulate(costs, plan, shares):
    """One row: what a fleet can do whose hosts hold so many partitions each."""
    hosts, fullest = len(shares), max(shares)
    mean = PARTITIONS / hosts
    host_limit, host_rate = least(host_limits(costs, plan))
    # The fullest host is at its end before the others are.
    rate = hosts * host_rate * mean / fullest
    database_limit, one_database = least(database_limits(costs, plan, hosts))
    connections = hosts * CONNECTIONS
    if connections > plan.connections:
        first = f"connections: {connections} of {plan.connections}"
    elif rate > one_database:
        first = database_limit
    else:
        first = host_limit
    seconds_a_push = costs["takeOverSeconds"] / costs["takeOverPushes"]
    return {
        "hosts": hosts, "mean": mean, "fullest": fullest / mean, "emptiest": min(shares), "rate": rate,
        "one_database": one_database, "databases": databases_for(costs, plan, hosts, rate),
        "connections": connections, "beat_rows": hosts * (hosts + PARTITIONS),
        "standing": standing_cores(costs, hosts), "log": rate * costs["logBytes"] * DAY,
        "tokens": rate * plan.devices_per_push * costs["tokenBytes"], "seen": rate * DAY * costs["seenBytes"],
        "opened": [rate * lifetime * costs["openedBytes"] for lifetime in plan.lifetimes],
        # What a host keeps in memory, read by those that take its place.
        "take_over": seconds_a_push * REMEMBERED_KEYS / KEYS_PER_PUSH / max(1, hosts - 1),
        "first": first,
    }


def grow(costs, plan, counts):
    """The rows of fleets of so many hosts, and of all that are smaller."""
    growth, rows = Growth(), {}
    for number in range(1, max(counts) + 1):
        growth.join(f"{plan.prefix}{number}")
        rows[number] = simulate(costs, plan, list(growth.shares().values()))
    return rows
