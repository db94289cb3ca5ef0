# SPDX-License-Identifier: Apache-2.0
"""The figures of a fleet's growth as tables and sentences."""
from growth_model import (
    BEATS, CONNECTIONS, DAY, KEYS_PER_PUSH, PARTITIONS, REMEMBERED_KEYS, REMEMBERED_OPENINGS, host_limits, least,
)


def short(number, unit=""):
    """A number with two or three digits that count: 14.3 k, 1.43 M."""
    for size, letter in ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k" if not unit else "K")):
        if number >= size:
            value = number / size
            return f"{value:.0f} {letter}{unit}" if value >= 100 else f"{value:.3g} {letter}{unit}"
    return f"{number:.3g} {unit}".strip()


def span(seconds):
    for size, name in ((DAY, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.3g} {name}"
    return f"{seconds:.3g} s"


def markdown(headings, rows):
    lines = ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def tables(rows, counts, plan):
    """Both tables; a row is marked from which on what is built does not suffice."""
    opened = " / ".join(span(lifetime) for lifetime in plan.lifetimes)
    rates = markdown(
        ["hosts", "partitions a host", "the fullest", "pushes/s of the hosts", "one database takes", "databases",
         "connections to one", "first limit"],
        [[number, f"{row['mean']:.0f}", f"{row['fullest']:.2f} ×", short(row["rate"]), short(row["one_database"]),
          1 if row["databases"] == 1 else f"**{row['databases'] or 'none do'}**", row["connections"], row["first"]]
         for number, row in ((number, rows[number]) for number in counts)])
    kept = markdown(
        ["hosts", "beats/s, rows in them", "cores for beats and polls", "log a day", "tokens", "keys of a day",
         f"opened, {opened}", "taking over a host"],
        [[number, f"{number}, {short(row['beat_rows'])}", f"{row['standing']:.2f}", short(row["log"], "B"),
          short(row["tokens"], "B"), short(row["seen"], "B"), " / ".join(short(size, "B") for size in row["opened"]),
          f"{row['take_over']:.2g} s"]
         for number, row in ((number, rows[number]) for number in counts)])
    return rates + "\n\n" + kept


def breaks(costs, plan, rows):
    """What gives way, in the order of the number of hosts at which it does."""
    host_limit, host_rate = least(host_limits(costs, plan))
    # The memory of repeats is bounded from the first host on, at any rate that fills it within a day.
    found = [
        (1, f"{host_limit} allows {short(host_rate)} pushes/s; {plan.cores} cores would do "
            f"{short(host_limits(costs, plan)['cores of a host'])}"),
        (1, f"a host knows repeats of the last {span(REMEMBERED_KEYS / KEYS_PER_PUSH / host_rate)} at that rate, "
            f"and of a day up to {short(REMEMBERED_KEYS / KEYS_PER_PUSH / DAY)} pushes/s"),
        (1, f"a host knows opened envelopes of the last {span(REMEMBERED_OPENINGS / host_rate)} at that rate, and of "
            f"{span(plan.lifetimes[0])} up to {short(REMEMBERED_OPENINGS / plan.lifetimes[0])} pushes/s"),
    ]

    def note(holds, words):
        number = next((number for number, row in sorted(rows.items()) if holds(row)), None)
        if number:
            found.append((number, words(rows[number])))

    note(lambda row: row["rate"] > row["one_database"],
         lambda row: f"one database takes {short(row['one_database'])} of {short(row['rate'])} pushes/s; what is built "
                     "has one")
    note(lambda row: row["connections"] > plan.connections,
         lambda row: f"{row['connections']} connections, {CONNECTIONS} a host, of {plan.connections}: raise "
                     "max_connections")
    note(lambda row: row["fullest"] >= 1.5,
         lambda row: f"the fullest host has {row['fullest']:.2f} times the mean of {PARTITIONS} partitions")
    note(lambda row: row["standing"] >= 1, lambda row: "beats and polls of idle hosts take a core of the database")
    note(lambda row: row["databases"] is None, lambda row: "beats take all that is planned of each database")
    found.sort(key=lambda one: one[0])
    return [f"- From {number} host{'s' * (number > 1)} on: {words}." for number, words in found]


def costs_line(costs):
    """What was measured, as sentences."""
    poll = ", ".join(f"{costs[f'pollMicrosecondsOf{count}'] / 1e3:.2g}" for count in (16, 256, 1024))
    beats = ", ".join(f"{costs[f'beatMicrosecondsOf{count}'] / 1e3:.3g}" for count in BEATS)
    members = ", ".join(map(str, BEATS))
    return "\n".join([
        f"A push costs {costs['primaryMicroseconds']:.0f} µs of the primary, {costs['standbyMicroseconds']:.0f} µs "
        f"of the standby, {costs['logBytes'] / 1e3:.1f} KB of log, and {costs['endMicroseconds']:.0f} µs of its "
        "host's writer of ends.",
        f"A beat costs {beats} ms among {members} members; a poll of 16, 256, 1,024 partitions without news {poll} ms.",
        f"On disk a device token takes {costs['tokenBytes']:.0f} bytes, a row of `opened` {costs['openedBytes']:.0f}, "
        f"of `seen` {costs['seenBytes']:.0f}. A host that takes 512 partitions reads the keys and openings of "
        f"{costs['takeOverPushes']:,} pushes in {costs['takeOverSeconds']:.2g} s.",
        f"Estimated, not measured here: {costs['hostMicroseconds']:.0f} µs of a host a push, "
        f"{costs['hostThreadMicroseconds']:.0f} µs of them by its busiest thread.",
    ])


def report(costs, plan, rows, counts):
    """Everything that is printed of a fleet's growth."""
    about = [str(costs[name]) for name in ("machine", "server", "settings", "date") if name in costs]
    if "loadBefore" in costs:
        about.append(f"load before {costs['loadBefore']:.1f}")
    measured = [f"Measured on {', '.join(about)}."] if about else []
    return "\n\n".join([
        *measured, costs_line(costs), tables(rows, counts, plan), "\n".join(breaks(costs, plan, rows))])
