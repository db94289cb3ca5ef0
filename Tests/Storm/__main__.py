# SPDX-License-Identifier: Apache-2.0
"""Kills centre, host and app in turn under load, and lets a centre be away; scripts/storm-center starts it.

Exit status 1 when a bound is broken; 2 for what is missing or wrong usage.
"""

import argparse
import os
import random
import signal
import sys
import threading
import time

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(os.path.join(ROOT, "Tests", "Attack"))

from hosts import descendants  # noqa: E402
from model import Model  # noqa: E402
from processes import Ended, Place, fail  # noqa: E402
from sender import Sender  # noqa: E402
from watcher import Watcher, ask  # noqa: E402

APPS = [f"com.example.storm{number}" for number in range(10)]
# The longest time until a program that was started serves again, and until the centre has what it missed.
RETURN, CATCH_UP = 20, 60
broken = 0


def bound(what, figure, goal, holds=True):
    global broken
    broken += not holds
    print(f"  {'ok  ' if holds else 'MISS'} {what:52} {figure:>26}   {goal}", flush=True)


def say(text):
    print(f"       {text}", flush=True)


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000 if ordered else 0.0


def wait_until(holds, seconds):
    """Whether it came to hold in that time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return holds()


class Storm:
    """Three programs, a sender and a watcher, on one folder."""

    def __init__(self, options):
        self.options = options
        self.place = Place(options.programs, APPS, options.keep)
        self.place.center.start()
        self.place.host.start()
        self.place.app.start()
        self.watcher = Watcher(self.place.http)
        self.sender = Sender(self.place.port, APPS, self.place.tokens)
        self.responses = []

    def apps(self):
        """What the API says of each app, by its topic; none while no centre answers."""
        try:
            status, answer = ask(self.place.http, "GET", "/v1/apps")
        except OSError:
            return {}
        return {each["app"]: each for each in answer.get("apps", [])} if status == 200 else {}

    def has_all(self, last):
        """Whether the newest rows of each app have its last accepted push, or a later one."""
        try:
            for topic, number in zip(APPS, last):
                _, page = ask(self.place.http, "GET", f"/v1/notifications?app={topic}&limit=200")
                if number > max((row["payload"]["aps"].get("badge", 0) for row in page.get("items", [])), default=0):
                    return False
        except OSError:
            return False
        return True

    def respond(self):
        """The owner opens the newest notification of the app in front; notes the id of the response."""
        newest = next((each for each in reversed(self.watcher.delivered) if each.topic == APPS[0]), None)
        try:
            status, answer = ask(
                self.place.http, "POST", f"/v1/notifications/{newest.id}/responses", {"action": "default"})
            if status == 201:
                self.responses.append(int(answer["id"]))
        except (OSError, AttributeError):
            pass

    def list_of(self, topic):
        """(identifier, number) of each row of an app's list, through all its pages."""
        rows, before = [], ""
        while True:
            _, page = ask(self.place.http, "GET", f"/v1/notifications?app={topic}&limit=200{before}")
            rows += [(item["identifier"], item["payload"]["aps"].get("badge")) for item in page["items"]]
            if not page["next"]:
                return rows
            before = f"&before={page['next']}"

    def finish(self, goal):
        """Lets everything arrive; returns the model of all that was sent."""
        self.sender.quiet()
        start = time.monotonic()
        caught_up = wait_until(lambda: self.has_all(self.sender.last), CATCH_UP)
        taken = time.monotonic() - start
        bound("the centre has what it missed after", f"{taken:.1f} s", goal, caught_up)
        wait_until(lambda: not self.lost_responses(), CATCH_UP)
        # It adds no more, and what it was not asked about yet is shown as in the background.
        self.place.app.kill()
        wait_until(self.is_quiet, CATCH_UP)
        return Model(APPS, self.sender.end(), self.watcher.delivered, self.watcher.removed)

    def is_quiet(self):
        """Whether nothing has come for a second: pushes without an answer may come behind those that have one."""
        before = self.watcher.position
        time.sleep(1)
        return before == self.watcher.position

    def lost_responses(self):
        said = {number for word, number in self.place.app_lines() if word == "response"}
        return [number for number in self.responses if number not in said]

    def close(self):
        """Ends all three as an operator would."""
        statuses = [self.place.host.close(), self.place.center.close()]
        self.watcher.close()
        bound("exit status of host and centre", f"{statuses[0]}, {statuses[1]}", "0, 0", statuses == [0, 0])


def judge(storm, model):
    """The rows that hold for every storm."""
    missing, hidden = model.missing(), model.unseen_rows()
    replaced = hidden.pop("update", 0)
    gone, added = sum(hidden.values()), sum(word == "adds" for word, _ in storm.place.app_lines())
    bound("pushes: accepted, without an answer, refused",
          f"{model.accepted_count}, {model.unknown_count}, {sum(map(len, model.refused))}", "-")
    most = model.accepted_count + model.unknown_count + added
    given = len(model.numbers()) + gone + replaced
    bound("numbers given, of them unseen", f"{given}, {gone + replaced}", f"{model.accepted_count} to {most}",
          model.accepted_count <= given <= most)
    bound("accepted and not shown", f"{len(missing)}", f"{gone}: gone by retention before the watcher came",
          len(missing) <= gone)
    for what, found in [
        ("shown twice", model.twice()), ("out of their order", model.disorder()),
        ("shown though refused or never sent", model.foreign()),
        ("badges that differ from the model", model.badge_faults(storm.apps())),
        ("slots without exactly their newest", model.slot_faults([storm.list_of(topic) for topic in APPS])),
        ("local notifications that differ", model.local_faults(storm.place.app_lines())),
        ("banners to be shown after 30 s", model.stale()),
    ]:
        bound(what, f"{len(found)}", "0", not found)
        for each in found[:5]:
            say(str(each))
    lost = storm.lost_responses()
    bound("responses stored, of them never with the app", f"{len(storm.responses)}, {len(lost)}", "0", not lost)
    bound("streams that had to begin anew", f"{storm.watcher.resets}", "0", storm.watcher.resets == 0)


def kill_in_turn(options):
    """kill -9 of centre, host and app in turn under load."""
    print(f"kills: {options.kills} of centre, host and app in turn, at {options.rate} pushes a second to "
          f"{len(APPS)} apps", flush=True)
    chance, storm = random.Random(options.seed), Storm(options)
    place, sender, watcher = storm.place, storm.sender, storm.watcher
    lines = lambda: os.path.getsize(place.app_log) if os.path.exists(place.app_log) else 0
    victims = [(place.center, lambda: watcher.position), (place.host, lambda: sender.accepted.value),
               (place.app, lines)]
    sender.rate.value = options.rate
    if not wait_until(lambda: sender.accepted.value > options.rate / 2 and watcher.position, RETURN):
        raise Ended("nothing arrives")
    begin, first, away, down, left = time.monotonic(), sender.accepted.value, {}, 0.0, 0
    for kill in range(options.kills):
        time.sleep(chance.uniform(0.2, 0.8))
        victim, progress = victims[kill % len(victims)]
        storm.respond()
        for each, _ in victims:
            if not each.is_alive:
                raise Ended(f"the {each.name} ended by itself: status {each.process.returncode}")
        children = descendants(victim.pid)
        start = time.monotonic()
        victim.kill()
        before = progress()
        victim.start()
        returned = wait_until(lambda: progress() > before, RETURN)
        taken = time.monotonic() - start
        away.setdefault(victim.name, []).append(taken)
        down += taken if victim is place.host else 0
        if not returned:
            raise Ended(f"kill {kill + 1}: nothing moves {RETURN} s after the {victim.name} was started again")
        wait_until(lambda: not any(map(alive, children)), 2)
        left += sum(map(alive, children))
    elapsed, accepted = time.monotonic() - begin, sender.accepted.value - first
    for name, times in away.items():
        say(f"{name} away for {min(times):.2f} to {max(times):.2f} s, {len(times)} times")
    bound("accepted a second: in all, while a host was there", f"{accepted / elapsed:.0f}, "
          f"{accepted / (elapsed - down):.0f}", f"offered {options.rate}")
    bound("processes that outlived their host", f"{left}", "0", left == 0)
    judge(storm, storm.finish(f"<= {CATCH_UP} s"))
    storm.close()


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def away_for_long(options):
    """A centre that is away while an hour's pushes come."""
    count, pace, span = options.away, options.pace, 3.0
    print(f"away: {count} pushes while the centre is gone, as fast as they are taken", flush=True)
    storm = Storm(options)
    place, sender = storm.place, storm.sender
    marks = []

    def paced(name):
        marks.append((name, time.monotonic(), time.monotonic() + span))
        sender.rate.value = pace
        time.sleep(span)
        sender.rate.value = 0.0

    sender.rate.value = pace
    if not wait_until(lambda: sender.accepted.value > pace / 2 and storm.watcher.position, RETURN):
        raise Ended("nothing arrives")
    paced("with the centre")
    place.center.kill()
    paced("without it")
    sender.quiet()
    begin = time.monotonic()
    sender.left.value, sender.rate.value = count, 1e9
    wait_until(lambda: sender.left.value == 0, 600)
    sender.quiet()
    fast = time.monotonic() - begin
    sender.left.value = -1
    say(f"{count} pushes in {fast:.0f} s, {count / fast:.0f} a second, where an hour would have {count / 3600:.0f}")
    paced("with all that waits")
    sender.quiet()
    if options.stale:
        say("waiting for 31 s, so that all that waits is too old for a banner")
        time.sleep(31)
    last, stored = list(sender.last), sum(each.get("stored", 0) for each in storm.apps().values())
    banners = len(storm.watcher.delivered)
    start = time.monotonic()
    place.center.start()
    marks.append(("while it catches up", time.monotonic(), time.monotonic() + CATCH_UP))
    sender.rate.value = 50.0
    caught_up = wait_until(lambda: storm.has_all(last), CATCH_UP)
    taken = time.monotonic() - start
    marks[-1] = (*marks[-1][:2], time.monotonic())
    bound("caught up after", f"{taken:.1f} s, {count / taken:.0f} a second", f"<= {CATCH_UP} s", caught_up)
    model = storm.finish("-")
    answers = [(sent, taken, status) for _, _, status, sent, taken in model.answers]
    before = None
    for name, since, until in marks:
        times = [taken for sent, taken, _ in answers if since <= sent < until]
        p50, p99 = percentile(times, 0.5), percentile(times, 0.99)
        before = before or (p50, p99)
        say(f"answers {name}: p50 {p50:.1f} ms, p99 {p99:.1f} ms of {len(times)}")
        if name in ("without it", "with all that waits"):
            # A short run shares its machine with other tests: a stall there is nobody's fault.
            bound(f"answers {name}, beside with it", f"{p50 / before[0]:.2f} times", "-" if options.short else "<= 2",
                  options.short or p50 <= before[0] * 2)
    refused = sum(status != 200 for _, _, status in answers)
    bound("answers other than 200", f"{refused}", "0", refused == 0)
    shown = [each for each in storm.watcher.delivered[banners:] if each.banner]
    say(f"of {len(storm.watcher.delivered) - banners} that the watcher was told of, {len(shown)} with a banner")
    judge(storm, model)
    storm.close()


def main():
    parser = argparse.ArgumentParser(prog="storm-center", usage="scripts/storm-center [option…] [kills] [away]")
    parser.add_argument("--programs", default=os.path.join(ROOT, ".build", "release"), help="where they are")
    parser.add_argument("--short", action="store_true", help="6 kills, and a centre that misses 6,000 pushes")
    parser.add_argument("--kills", type=int, help="how many (default 100)")
    parser.add_argument("--rate", type=int, default=2000, help="pushes a second beside the kills")
    parser.add_argument("--away", type=int, help="pushes that wait for the centre (default 180,000)")
    parser.add_argument("--pace", type=int, default=200, help="pushes a second whose answers are compared")
    parser.add_argument("--seed", type=int, default=1, help="other moments")
    parser.add_argument("--keep", help="leaves state and logs in this folder, which must be new")
    parser.add_argument("parts", nargs="*", metavar="PART", help="kills, away")
    options = parser.parse_args()
    parts = {"kills": kill_in_turn, "away": away_for_long}
    for part in options.parts:
        if part not in parts:
            parser.error(f"unknown part \"{part}\", known are {', '.join(parts)}")
    if options.keep and len(options.parts) != 1:
        parser.error("--keep takes one part")
    options.kills = options.kills or (6 if options.short else 100)
    options.away = options.away or (6_000 if options.short else 180_000)
    options.stale = not options.short
    for name in ("extension-host", "notification-center"):
        if not os.access(os.path.join(options.programs, name), os.X_OK):
            fail(f"\"{os.path.join(options.programs, name)}\" is missing", "scripts/programs -c release builds it")
    # The programs end with the script, also when it is told to.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    for part in options.parts or parts:
        try:
            parts[part](options)
        except Ended as error:
            bound(part, str(error), "", False)
    if broken:
        print(f"storm-center: error: {broken} bounds broken", file=sys.stderr)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
