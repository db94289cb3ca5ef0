# SPDX-License-Identifier: Apache-2.0
"""The faults of fleet-patroni: how each begins, how it is made good, and how it shows that it has happened."""
import signal
import time

from fleet_parts import fail
from processes import born, state, strike

# How long Patroni alone stands still.
HANG_SECONDS = 40


class Fault:
    # Whether there is no primary for a while, and whether another one has to be the primary afterwards.
    takes_primary, moves_primary = False, False

    def __init__(self, cluster, leader):
        self.cluster, self.leader, self.victim, self.before = cluster, leader, leader, None

    def prepare(self):
        pass

    def is_ready(self):
        """Directly before the fault: the primary is still there, and so is the server that will be struck."""
        process = self.victim.postmaster()
        self.before = (process, process and born(process))
        return None not in self.before and self.cluster.leader() is self.leader

    def repair(self):
        pass

    def flaw(self):
        """What has not happened directly after the act; None if all has."""
        return None

    def survivor(self):
        """The server of before, if it is still there after five seconds."""
        process, begin = self.before
        end = time.monotonic() + 5
        while born(process) == begin:
            if time.monotonic() > end:
                return f"process {process}, PostgreSQL of {self.victim.name}, is still there"
            time.sleep(0.05)
        return None


class LostMachine(Fault):
    takes_primary, moves_primary = True, True

    def prepare(self):
        self.cluster.lead_etcd(self.leader)

    def is_ready(self):
        return super().is_ready() and self.cluster.etcd_leader() is self.leader

    def act(self):
        self.leader.kill()

    def repair(self):
        self.leader.start()

    def flaw(self):
        return self.survivor()


class LostServer(Fault):
    takes_primary, moves_primary = True, True

    def act(self):
        self.leader.kill(etcd=False)

    def repair(self):
        self.leader.start()

    def flaw(self):
        if self.leader.etcd.poll() is not None:
            return f"etcd of {self.leader.name} has ended too"
        return self.survivor()


class LostPostgres(Fault):
    def act(self):
        strike(self.leader.database(), signal.SIGKILL)

    def flaw(self):
        return self.survivor()


class Switchover(Fault):
    moves_primary = True

    def act(self):
        self.cluster.switch_over(self.leader)


class LostStandby(Fault):
    def __init__(self, cluster, leader):
        super().__init__(cluster, leader)
        self.victim = cluster.synchronous_standby()

    def is_ready(self):
        return super().is_ready() and self.cluster.synchronous_standby() is self.victim

    def act(self):
        self.victim.kill()

    def repair(self):
        self.victim.start()

    def flaw(self):
        return self.survivor()


class Pause(Fault):
    takes_primary, moves_primary = True, True

    def act(self):
        # What a process has started before it was stopped itself is found the next time.
        self.stopped = set()
        while found := set(self.leader.processes()) - self.stopped:
            strike(found, signal.SIGSTOP)
            self.stopped |= found

    def repair(self):
        strike(self.stopped, signal.SIGCONT)

    def flaw(self):
        wanted = {self.before[0], self.leader.patroni.pid, self.leader.etcd.pid}
        return next((f"process {process} of {self.leader.name} has not stopped" for process in sorted(wanted)
                     if not await_stop(process)), None)


class Hang(Fault):
    def act(self):
        process = self.leader.patroni.pid
        strike([process], signal.SIGSTOP)
        self.has_stopped = await_stop(process)
        time.sleep(HANG_SECONDS)
        self.has_stopped = self.has_stopped and state(process) == "T"
        strike([process], signal.SIGCONT)

    def flaw(self):
        return None if self.has_stopped else f"Patroni of {self.leader.name} has not stood still"


def await_stop(process):
    end = time.monotonic() + 5
    while state(process) != "T":
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


ALL = {"machine": LostMachine, "server": LostServer, "postgres": LostPostgres, "switchover": Switchover,
       "standby": LostStandby, "pause": Pause, "hang": Hang}


def make(name, cluster):
    """The fault of that name for the primary that there is now."""
    leader = cluster.leader()
    if leader is None:
        fail(f"there is no primary before {name}: {cluster.weakness()}", "look at what Patroni says: --keep leaves it")
    return ALL[name](cluster, leader)
