// SPDX-License-Identifier: Apache-2.0

extension Roster {
    /// Room for a worker beyond an app's first, and for a first one that no notification waits for.
    ///
    /// The room that the first worker of every app without one would take is nobody else's. Of what is left an app may
    /// have as much as it leaves free (Choudhury and Hahne's dynamic thresholds), so that whoever comes next finds
    /// some; its spare asks for a place and for no memory, since the limits of many apps may add up to more than the
    /// bound while none of them comes near its own. The first worker of an app is not asked for memory either.
    func hasRoomToSpare(for app: Int) -> Bool {
        guard hungry.isEmpty else { return false }
        let staff = staffs[app]
        if staff.isVacant { return tally.processes < bounds.processes }
        let processes = bounds.processes - tally.processes - tally.vacantApps
        if staff.members.count < 2 { return processes > 0 }
        let taken = tally.memoryByteCount.addingReportingOverflow(tally.vacantMemoryByteCount)
        guard processes > 0, !taken.overflow, taken.partialValue < bounds.memoryByteCount else { return false }
        let memory = bounds.memoryByteCount - taken.partialValue
        guard memory >= staff.terms.memoryByteCount else { return false }
        return staff.members.count < processes && staff.memoryByteCount < memory
    }
}

extension Roster.Staff {
    /// The memory that the app's workers may take, those that are ending included.
    var memoryByteCount: UInt64 { UInt64(members.count) * terms.memoryByteCount }
}
