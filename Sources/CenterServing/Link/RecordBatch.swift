// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile

/// Records that were read in one piece, until each of them is taken or refused: a value without I/O.
struct RecordBatch {
    private var records: [(number: Int64, record: LinkRecord)] = []
    /// The place of each record's arrival in the work; the record's number stands at the same place here.
    private var places: [(number: Int64, place: Int)] = []
    private(set) var refused: [(number: Int64, reason: UnfitReason)] = []
    private(set) var taken: [Int64] = []

    mutating func add(_ number: Int64, _ record: LinkRecord) { records.append((number, record)) }

    mutating func refuse(_ number: Int64, _ reason: UnfitReason) { refused.append((number, reason)) }

    /// Returns the work of all records, in their order.
    mutating func decide(
        _ work: (LinkRecord, Int64) throws(DatabaseFailure) -> Result<[CenterWork], UnfitReason>
    ) throws(DatabaseFailure) -> [CenterWork] {
        var all: [CenterWork] = []
        for (number, record) in records {
            switch try work(record, number) {
            case .success(let one):
                all += one
                places.append((number, all.count - 1))
            case .failure(let reason): refuse(number, reason)
            }
        }
        return all
    }

    /// Takes the results of the work: a record is taken unless the store refused it.
    mutating func note(_ results: [WorkResult]) {
        for (number, place) in places {
            guard case .refused(let refusal)? = results.indices.contains(place) ? results[place] : nil else {
                taken.append(number)
                continue
            }
            switch refusal {
            case .unknownOwner: refuse(number, .unknownOwner)
            case .unknownInstallation, .tooManyInstallations: refuse(number, .unknownApp)
            case .badgeOutOfRange, .notThere, .replaced, .tooManyPending: refuse(number, .badRecord)
            }
        }
    }
}
