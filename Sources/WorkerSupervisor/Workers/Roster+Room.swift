// SPDX-License-Identifier: Apache-2.0

extension Roster {
    /// Room for a worker beyond an app's first, and for a first one that no notification waits for.
    ///
    /// The room that the first worker of every app without one would take is nobody else's. Of what is left an app may
    /// have as much as it leaves free (Choudhury and Hahne's dynamic thresholds), so that whoever comes next finds
    /// some; its spare asks for a place and for no memory, since the limits of many apps may add up to more than the
    /// bound while none of them comes near its own. The first worker of an app is not asked for memory either.
    ///
    /// A further owner's site counts as an app of its own, and its spare asks for memory too: the operator names the
    /// apps, and owners come while the host runs.
    func hasRoomToSpare(for app: Int) -> Bool {
        guard hungry.isEmpty else { return false }
        let staff = staffs[app]
        if staff.isVacant { return tally.processes < bounds.processes }
        let processes = bounds.processes - tally.processes - tally.vacantApps
        if staff.members.count < 2, staff.terms.isFirst { return processes > 0 }
        let taken = tally.memoryByteCount.addingReportingOverflow(tally.vacantMemoryByteCount)
        guard processes > 0, !taken.overflow, taken.partialValue < bounds.memoryByteCount else { return false }
        let memory = bounds.memoryByteCount - taken.partialValue
        guard memory >= staff.terms.memoryByteCount else { return false }
        return staff.members.count < processes && staff.memoryByteCount < memory
    }

    /// Tells whether the app's `workers` leave one more to a site that has workers.
    ///
    /// The first worker of each owner is beside them. Of the others a site may have as many as it leaves free, so that
    /// no owner's flood has them all; where the app has one owner, all.
    func leavesWorker(to staff: Staff) -> Bool {
        let most = staff.terms.workers - 1
        guard hasFurtherSites, let app = staff.terms.app else { return staff.crewCount - 1 < most }
        var sites = 0
        var taken = 0
        for other in staffs where other.terms.app == app {
            sites += 1
            taken += max(0, other.crewCount - 1)
        }
        return staff.crewCount - 1 < (sites == 1 ? most : most - taken)
    }
}

extension Roster.Staff {
    /// The memory that the app's workers may take, those that are ending included.
    var memoryByteCount: UInt64 { UInt64(members.count) * terms.memoryByteCount }
}
