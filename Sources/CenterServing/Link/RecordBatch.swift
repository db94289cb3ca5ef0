// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import PacketSockets

/// Records that were read in one piece, until each of them is taken or refused: a value without I/O.
struct RecordBatch {
    private var entries: [(number: Int64, record: LinkRecord, files: [PassedFile])] = []
    /// The numbers of the records that are work, in its order.
    private var decided: [Int64] = []
    private(set) var refused: [(number: Int64, reason: UnfitReason)] = []
    private(set) var taken: [Int64] = []

    mutating func add(_ number: Int64, _ record: LinkRecord, _ files: [PassedFile]) {
        entries.append((number, record, files))
    }

    var records: [LinkRecord] { entries.map(\.record) }

    mutating func refuse(_ number: Int64, _ reason: UnfitReason) { refused.append((number, reason)) }

    /// Returns the work of all records, in their order, and the files of those that have some, by the place of the
    /// work.
    mutating func decide(
        _ work: (LinkRecord, Int64) throws(DatabaseFailure) -> Result<CenterWork, UnfitReason>
    ) throws(DatabaseFailure) -> (
        work: [CenterWork], files: [(place: Int, record: LinkRecord, files: [PassedFile])]
    ) {
        var all: [CenterWork] = []
        var withFiles: [(place: Int, record: LinkRecord, files: [PassedFile])] = []
        for (number, record, files) in entries {
            switch try work(record, number) {
            case .success(let one):
                if !files.isEmpty { withFiles.append((all.count, record, files)) }
                all.append(one)
                decided.append(number)
            case .failure(let reason): refuse(number, reason)
            }
        }
        return (all, withFiles)
    }

    /// Takes the results of the work: a record is taken unless the store refused it.
    mutating func note(_ results: [WorkResult]) {
        for (number, result) in zip(decided, results) {
            guard case .refused(let refusal) = result else {
                taken.append(number)
                continue
            }
            switch refusal {
            case .unknownOwner: refuse(number, .unknownOwner)
            case .unknownInstallation, .tooManyInstallations: refuse(number, .unknownApp)
            case .badgeOutOfRange, .notThere, .replaced, .tooManyPending, .tooManyRegions, .noCredential:
                refuse(number, .badRecord)
            }
        }
    }
}
