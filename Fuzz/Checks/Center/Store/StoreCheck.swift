// SPDX-License-Identifier: Apache-2.0

private import CenterSteps
private import CenterStore
private import Foundation

/// Has a store and a naive one do the work that bytes choose, and holds them against each other after each batch.
///
/// Hashes have 3 bits, so that most rows that are found by a name are others', and all bounds are within reach.
public final class StoreCheck: Sendable {
    /// Batches of one input; what comes behind them is left out.
    private static let batchLimit = 64
    private static let hashBits = 3

    private let folder: String
    /// The file of a store that has done the work of the beginning: to copy it is quicker than to make one.
    private let begun: [UInt8]

    /// Returns `nil` where no store can be made.
    public init?() {
        let folder = FileManager.default.temporaryDirectory.appending(path: "checks-\(UUID().uuidString)").path
        guard let begun = try? Self.begin(in: folder) else { return nil }
        self.folder = folder
        self.begun = begun
    }

    private static func begin(in folder: String) throws -> [UInt8] {
        try makeFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try CenterStore(folder: folder, isDurable: false, limits: limits, hashBits: hashBits)
        _ = try store.commit(CenterSteps.beginning, at: CenterSteps(choices: []).now)
        try store.close()
        return Array(try Data(contentsOf: URL(fileURLWithPath: store.path)))
    }

    private static func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    /// Does the work that bytes choose; each batch is taken.
    public func callAsFunction(_ bytes: [UInt8]) -> Verdict {
        Verdict { () throws(BrokenPromise) in
            do { return try run(bytes) } catch {
                throw error as? BrokenPromise ?? BrokenPromise("there is a disk: \(error)")
            }
        }
    }

    private static var limits: CenterLimits {
        var limits = CenterLimits()
        limits.perInstallation = 4
        limits.perOwner = 8
        limits.inAll = 16
        limits.ownerBytes = 3_000
        limits.bytesInAll = 7_000
        limits.age = .seconds(2 * 3600)
        limits.history = .seconds(1800)
        limits.tombstoneAge = .seconds(3600)
        limits.tombstones = 12
        limits.responseAge = .seconds(3600)
        limits.responses = 3
        limits.pending = 6
        limits.installations = 3
        return limits
    }

    private func run(_ bytes: [UInt8]) throws -> Int {
        try Self.makeFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/\(CenterStore.name)"
        let isCopied = FileManager.default.createFile(
            atPath: path,
            contents: Data(begun),
            attributes: [.posixPermissions: 0o600]
        )
        try expect(isCopied, "there is a disk")
        let store = try CenterStore(folder: folder, isDurable: false, limits: Self.limits, hashBits: Self.hashBits)
        defer { try? store.close() }
        var steps = CenterSteps(choices: bytes)
        var model = NaiveCentre(limits: Self.limits)
        _ = model.commit(CenterSteps.beginning, at: steps.now)
        var batches = 0
        while !steps.isAtEnd, batches < Self.batchLimit {
            let isMaintained = steps.one(in: 4) == 0
            try commit(steps.batch(), &steps, store, &model)
            if isMaintained {
                while try store.maintain(at: steps.now) {}
                model.maintain(at: steps.now)
                let upkeep = NaiveCentre.Work(try store.takeUpkeep())
                try expect(upkeep == model.takeUpkeep(), "maintenance does what the naive one does")
            }
            batches += 1
        }
        return batches
    }

    private func commit(
        _ work: [CenterWork],
        _ steps: inout CenterSteps,
        _ store: CenterStore,
        _ model: inout NaiveCentre
    ) throws {
        let results = try store.commit(work, at: steps.now)
        try expect(results == model.commit(work, at: steps.now), "work has the results of the naive store")
        steps.note(results)
        let differences = try StoreComparison(store, model, numberCount: 8).differences()
        try expect(differences == [], "a store has the rows of the naive one: \(differences)")
    }
}
