# SPDX-License-Identifier: Apache-2.0
"""What must come of accepted pushes, and what the centre made of them."""

import time

import watcher
from sender import device, is_slot

FRESH = 30.0
# Between the host's clock reading and the sender's there is the way of a push.
TOLERANCE = 1.0


class Model:
    """Answers of the host on one side, events and lists of the centre on the other."""

    def __init__(self, topics, answers, delivered, removed):
        """`answers`: (app, number, status, time of sending, seconds); `delivered`, `removed`: of a watcher."""
        self.topics = topics
        self.accepted, self.unknown, self.refused, self.sent = ([set() for _ in topics] for _ in range(4))
        self.answers, self.sent_at = answers, {}
        clock = time.time() - time.monotonic()
        for app, number, status, sent, taken in answers:
            self.sent[app].add(number)
            self.sent_at[app, number] = clock + sent + taken
            {200: self.accepted, 0: self.unknown}.get(status, self.refused)[app].add(number)
        self.removed = removed
        self.remote = [[] for _ in topics]
        self.local = []
        self.delivered = delivered
        place = {topic: app for app, topic in enumerate(topics)}
        for each in delivered:
            if each.number is None:
                self.local.append(each)
            else:
                self.remote[place[each.topic]].append(each)

    @property
    def accepted_count(self):
        return sum(map(len, self.accepted))

    @property
    def unknown_count(self):
        return sum(map(len, self.unknown))

    def missing(self):
        """Accepted pushes of which the watcher was told nothing; those of slots may have been replaced meanwhile."""
        return [(app, number) for app, numbers in enumerate(self.accepted)
                for number in sorted(numbers - {each.number for each in self.remote[app]}) if not is_slot(number)]

    def unseen_rows(self):
        """Rows that went before the watcher was told of them, by what took them away."""
        known, causes = self.numbers(), {}
        for id, by in self.removed.items():
            if id not in known:
                causes[by] = causes.get(by, 0) + 1
        return causes

    def numbers(self):
        """The numbers of notifications that the watcher was told of."""
        return {each.id for each in self.delivered} | {int(each.replaces) for each in self.delivered if each.replaces}

    def twice(self):
        found = []
        for app, all in enumerate(self.remote):
            numbers = [each.number for each in all]
            if len(set(numbers)) != len(numbers):
                found.append(f"app {app}: {len(numbers) - len(set(numbers))} numbers again")
            found += [f"app {app} push {each.number} replaced itself" for each in all
                      if each.replaces and not is_slot(each.number)]
        return found

    def disorder(self):
        """Pushes of one device that were shown in another order than they were sent."""
        found, last = [], {}
        for app, all in enumerate(self.remote):
            for each in all:
                place = (app, device(each.number))
                if each.number <= last.get(place, 0):
                    found.append(f"app {app}: {each.number} after {last[place]}")
                last[place] = each.number
        return found

    def foreign(self):
        """Shown though the host refused them, or nobody sent them."""
        return [(app, each.number) for app, all in enumerate(self.remote) for each in all
                if each.number in self.refused[app] or each.number not in self.sent[app]]

    def stale(self):
        """Banners that a presenter may show more than thirty seconds after the push was accepted."""
        late = [watcher.seconds(each.until) - self.sent_at[app, each.number] for app, all in enumerate(self.remote)
                for each in all if each.banner and (app, each.number) in self.sent_at]
        return [over for over in late if over > FRESH + TOLERANCE]

    def banners(self):
        return sum(each.banner for each in self.delivered)

    def badge_faults(self, apps):
        """`apps`: what the API says of each, by topic."""
        faults = []
        for app, topic in enumerate(self.topics):
            last = self.remote[app][-1].number if self.remote[app] else 0
            badge = apps.get(topic, {}).get("badge", 0)
            if badge != last:
                faults.append(f"app {app}: badge {badge}, the last one shown has {last}")
        return faults

    def slot_faults(self, lists):
        """`lists`: for each app the (identifier, number) of its list."""
        faults = []
        for app, rows in enumerate(lists):
            shown = [number for identifier, number in rows if identifier == f"slot-{app}"]
            last = max((number for number in self.accepted[app] if is_slot(number)), default=0)
            if last and (len(shown) != 1 or shown[0] < last):
                faults.append(f"app {app}: slot shows {shown}, accepted {last}")
        return faults

    def local_faults(self, lines):
        """`lines`: what the apps said of what they added."""
        asked = {number for word, number in lines if word == "adds"}
        added = {number for word, number in lines if word == "added"}
        shown = [int(each.identifier.split("-")[1]) for each in self.local]
        faults = [f"{len(added - set(shown))} added ones not shown"] if added - set(shown) else []
        if len(set(shown)) != len(shown) or any(each.replaces for each in self.local):
            faults.append(f"{len(shown) - len(set(shown))} shown again")
        if set(shown) - asked:
            faults.append(f"{len(set(shown) - asked)} that no app asked for")
        return faults
