// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fleet
import Foundation
import HostRuntime
import Store

/// Moves what a host has kept that served alone into its fleet.
struct FleetImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Moves accepted pushes, records, dead letters and device tokens of a host that served alone.",
        discussion: """
            Reads the state folder of the configuration, whose host must not run, and writes to the fleet that the
            configuration names. Pushes and records keep their names. What was moved is gone from the folder; a second
            call moves what the first one did not.

            Example:
              extension-host fleet import --config host.yaml
            """
    )

    @Option(help: "The configuration of the host, host.yaml, with \"fleet\" in it.", completion: .file())
    var config: String

    func run() throws {
        let configuration = try HostConfiguration(file: config)
        guard let fleet = configuration.fleet, let folder = configuration.stateFolder else {
            throw HostConfiguration.noFleet(config)
        }
        let moved = try FleetImport(fleet, folder: folder).run()
        print(
            "moved \(moved.tokens) device tokens, \(moved.pushes) pushes, \(moved.records) records, "
                + "\(moved.letters) dead letters"
        )
        guard moved.refused == 0 else {
            throw CommandError(
                "\(moved.refused) pushes stay in \"\(folder)\": their device tokens are another app's in the fleet",
                hint: "deliver them with a host without \"fleet\""
            )
        }
    }
}

/// The way of a state folder's contents into a fleet.
///
/// Each call of the database is followed by one of the journal that forgets what is moved. Between the two a crash
/// leaves both: the push or the record is there twice under one name, and moves again with the next import, where the
/// holder drops the second push as a repeat.
struct FleetImport {
    struct Moved {
        var tokens = 0
        var pushes = 0
        var records = 0
        var letters = 0
        /// Pushes that the fleet did not take.
        var refused = 0
    }

    private static let atOnce = 256
    private static let byteCount = 4 << 20
    private let folder: String
    private let registry: RegistryFile
    private let journal: Journal
    private let database: FleetDatabase
    private let seal: FleetRecordSealer

    /// Opens the folder, which no running host may have, and the fleet's database.
    init(_ fleet: FleetConfiguration, folder: String) throws(CommandError) {
        self.folder = folder
        seal = FleetRecordSealer(try fleet.keys())
        do throws(StoreError) {
            registry = try RegistryFile(folder: folder)
            journal = try Journal(folder: folder, isDurable: true, clock: HostClock(ContinuousClock()))
        } catch {
            throw CommandError(error)
        }
        do throws(FleetError) { database = try FleetDatabase(fleet.database) } catch { throw CommandError(error) }
    }

    func run() throws(CommandError) -> Moved {
        var moved = Moved()
        let tokens: [RegisteredToken]
        do throws(StoreError) { tokens = try registry.tokens(now: Date()) } catch { throw CommandError(error) }
        let waiting = try fromJournal { () throws(JournalError) in try journal.unfinished() }
        let addressed = Set(waiting.map(\.deviceToken))
        // One that was removed is good for what was accepted before, and no longer. The others that were removed stay
        // unknown, among them those that a former import has moved.
        let removed = tokens.filter { $0.removed != nil && addressed.contains($0.token) }
        let minted = tokens.filter { $0.removed == nil && $0.origin == .minted }
        moved.tokens = try add(minted)
        _ = try add(tokens.filter { $0.removed == nil && $0.origin == .configured } + removed)
        for topic in Set(waiting.map(\.topic)).sorted() { try movePushes(of: topic, tokens, &moved) }
        for token in removed {
            _ = try ask { () throws(FleetError) in try database.operations.removeToken(token.token) }
        }
        try forget(minted)
        for sink in journal.statistics.sinks.keys.sorted() { try moveRecords(for: sink, &moved) }
        try fromJournal { () throws(JournalError) in try journal.close() }
        try moveLetters(&moved)
        return moved
    }

    /// Leaves tombstones in the registry in the place of tokens that are the fleet's now.
    private func forget(_ tokens: [RegisteredToken]) throws(CommandError) {
        do throws(StoreError) {
            for token in tokens { _ = try registry.removeToken(token.token, at: Date()) }
        } catch {
            throw CommandError(error)
        }
    }

    /// Adds tokens that nobody knows in the fleet; returns how many are active now.
    private func add(_ tokens: [RegisteredToken]) throws(CommandError) -> Int {
        var count = 0
        for start in stride(from: 0, to: tokens.count, by: 1000) {
            let some = tokens[start..<min(start + 1000, tokens.count)].map { token in
                OfferedToken(
                    token: token.token,
                    topic: token.topic,
                    environment: token.environment.rawValue,
                    owner: token.owner
                )
            }
            let verdicts = try ask { () throws(FleetError) in
                try database.operations.addTokens(some, origin: .configured)
            }
            count += verdicts.count { $0 == .active }
        }
        return count
    }

    private func movePushes(
        of topic: String,
        _ tokens: [RegisteredToken],
        _ moved: inout Moved
    ) throws(CommandError) {
        let apps = Dictionary(tokens.map { ($0.token, $0.topic) }) { first, _ in first }
        var last: Int64 = 0
        while true {
            let pushes = try fromJournal { () throws(JournalError) in
                try journal.pushes(of: topic, after: last, limit: Self.atOnce)
            }
            guard let end = pushes.last?.number else { return }
            last = end
            let offered = pushes.map { push in
                var push = push
                push.app = apps[push.deviceToken]
                return OfferedPush(push, name: push.delivery ?? DeliveryName(store: journal.name, count: 0))
            }
            let verdicts = try ask { () throws(FleetError) in try database.accept(offered) }
            var work = JournalWork()
            for (push, verdict) in zip(pushes, verdicts) {
                guard case .stored = verdict else {
                    moved.refused += 1
                    continue
                }
                moved.pushes += 1
                let end = Conclusion(number: push.number ?? 0, record: nil, deviceToken: push.deviceToken, sinks: [])
                work.conclusions.append(end)
            }
            _ = try fromJournal { () throws(JournalError) in try journal.commit(work) { _ in true } }
        }
    }

    private func moveRecords(for sink: String, _ moved: inout Moved) throws(CommandError) {
        while true {
            let records = try fromJournal { () throws(JournalError) in
                try journal.waiting(for: sink, except: [], limit: Self.atOnce, byteCount: Self.byteCount)
            }
            guard !records.isEmpty else { return }
            try put(
                records.map { record in
                    ImportedRecord(
                        token: record.deviceToken,
                        sink: sink,
                        name: record.delivery.description,
                        record: seal.seal(record.record, of: record.delivery, for: sink)
                    )
                }
            )
            var work = JournalWork()
            work.settlements = records.map { Settlement(sink: sink, number: $0.number, verdict: .delivered) }
            _ = try fromJournal { () throws(JournalError) in try journal.commit(work) { _ in true } }
            moved.records += records.count
        }
    }

    private func moveLetters(_ moved: inout Moved) throws(CommandError) {
        let letters: DeadLetters
        do throws(StoreError) { letters = try DeadLetters(folder: folder) } catch { throw CommandError(error) }
        defer { letters.close() }
        while true {
            let page: [DeadLetter]
            do throws(StoreError) { page = try letters.list(limit: Self.atOnce) } catch { throw CommandError(error) }
            guard !page.isEmpty else { return }
            try put(
                page.map { letter in
                    ImportedRecord(
                        token: letter.deviceToken,
                        sink: letter.sink,
                        name: letter.delivery.description,
                        record: seal.seal(letter.record, of: letter.delivery, for: letter.sink),
                        death: .init(
                            attempts: Int32(clamping: letter.attempts),
                            reason: letter.reason,
                            at: Int64(letter.date.timeIntervalSince1970 * 1000)
                        )
                    )
                }
            )
            do throws(StoreError) {
                for letter in page {
                    _ = try letters.drop(DeadLetterSelection(sink: letter.sink, delivery: letter.delivery))
                }
            } catch {
                throw CommandError(error)
            }
            moved.letters += page.count
        }
    }

    private func put(_ records: [ImportedRecord]) throws(CommandError) {
        try ask { () throws(FleetError) in try database.operations.importRecords(records) }
    }

    private func ask<Value>(_ body: () throws(FleetError) -> Value) throws(CommandError) -> Value {
        do throws(FleetError) { return try body() } catch { throw CommandError(error) }
    }

    private func fromJournal<Value>(_ body: () throws(JournalError) -> Value) throws(CommandError) -> Value {
        do throws(JournalError) { return try body() } catch { throw error.commandError(in: folder) }
    }
}
