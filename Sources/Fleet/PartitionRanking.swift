// SPDX-License-Identifier: Apache-2.0

/// The place of one session among the members that may hold each partition, counted anew only when they change.
struct PartitionRanking: Sendable {
    private struct Candidate: Equatable, Sendable {
        let host: String
        let weight: Double
    }

    private var candidates: [Candidate] = []
    private var host: String?
    /// The scores of each candidate at a weight of one, for each partition.
    private var scores: [String: [Double]] = [:]
    private var ranks: [Int] = []

    /// Takes in the members that take partitions; `session` need not be one of them.
    mutating func update(_ members: [FleetSnapshot.Member], session: Int64) {
        let host = members.first { $0.session == session }?.host
        // Two sessions of one host, an old one and its successor, count as one: the greater weight stands.
        var weights: [String: Double] = [:]
        for member in members { weights[member.host] = max(member.weight, weights[member.host] ?? 0) }
        let candidates = weights.map { Candidate(host: $0.key, weight: $0.value) }.sorted { $0.host < $1.host }
        guard candidates != self.candidates || host != self.host else { return }
        self.candidates = candidates
        self.host = host
        scores = scores.filter { weights[$0.key] != nil }
        for host in weights.keys where scores[host] == nil {
            scores[host] = Partition.all.map { $0.score(host: host, weight: 1) }
        }
        ranks = host == nil ? [] : Partition.all.map(rank)
    }

    /// False if the session is not among those that take partitions.
    var takesPart: Bool { host != nil }

    /// The number of members that come before the session for a partition; nil if the session takes none.
    func rank(of part: Partition) -> Int? { ranks.isEmpty ? nil : ranks[Int(part.number)] }

    private func rank(of part: Partition) -> Int {
        guard let own = candidates.first(where: { $0.host == host }) else { return candidates.count }
        let score = score(of: own, for: part)
        return candidates.count { other in
            guard other.host != own.host else { return false }
            let others = self.score(of: other, for: part)
            return others > score || (others == score && other.host < own.host)
        }
    }

    private func score(of candidate: Candidate, for part: Partition) -> Double {
        (scores[candidate.host]?[Int(part.number)] ?? 0) * candidate.weight
    }
}
