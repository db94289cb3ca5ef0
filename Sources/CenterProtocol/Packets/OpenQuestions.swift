// SPDX-License-Identifier: Apache-2.0

/// Questions that wait for their answers, each under an id that rises.
///
/// A question whose asker has given up keeps its place until the answer comes, so that a late answer is told from one
/// that nobody asked for, and so that a peer that never answers costs a bounded number of places.
package struct OpenQuestions<Question: Sendable>: Sendable {
    private struct Entry {
        let question: Question
        var isExpired = false
    }

    private let limit: Int
    private var entries: [UInt64: Entry] = [:]
    package private(set) var lastID: UInt64 = 0

    package init(limit: Int) {
        self.limit = limit
    }

    /// The number of questions of a kind, given up or not.
    func count(where isCounted: (Question) -> Bool) -> Int { entries.values.count { isCounted($0.question) } }

    package var hasRoom: Bool { entries.count < limit }

    /// The question under an id; `nil` means that there is none, or that it was answered.
    package subscript(id: UInt64) -> Question? { entries[id]?.question }

    func isExpired(_ id: UInt64) -> Bool { entries[id]?.isExpired == true }

    package enum Refusal: Error { case notRising, full }

    package mutating func open(_ id: UInt64, _ question: Question) throws(Refusal) {
        guard id > lastID else { throw .notRising }
        guard hasRoom else { throw .full }
        lastID = id
        entries[id] = Entry(question: question)
    }

    package mutating func close(_ id: UInt64) { entries[id] = nil }

    /// False if no question is open under the id, or its asker has given up before.
    mutating func expire(_ id: UInt64) -> Bool {
        guard let entry = entries[id], !entry.isExpired else { return false }
        entries[id]?.isExpired = true
        return true
    }
}
