// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import E2ECrypto

/// The record on the disk of the payloads opened so far, which no end of the process or machine loses.
struct ReplayJournalTests {
    private static let minute: Int64 = 60_000
    private let now: Int64 = 1_795_228_800_000
    private static let head = Array("nestbox-replays".utf8) + [1]

    private func id(_ number: UInt64) -> ReplaySet.ID {
        ReplaySet.ID(reading: (KeyID(number: number).bytes + KeyID(number: ~number).bytes).span)
    }

    /// A set and its journal on `disk`.
    private func load(
        _ disk: ReplayDisk,
        capacity: Int = 64,
        now: Int64? = nil
    ) throws -> (set: ReplaySet, journal: ReplayJournal) {
        let set = ReplaySet(capacity: capacity)
        return (set, try ReplayJournal(disk.files, of: set, now: now ?? self.now))
    }

    private func insert(_ numbers: ClosedRange<UInt64>, to set: ReplaySet) {
        for number in numbers { set.insert(id(number), push: Int64(number), expiry: now + Self.minute, now: now) }
    }

    private func remembered(_ numbers: ClosedRange<UInt64>, by set: ReplaySet) -> [UInt64] {
        numbers.filter { set.isReplay(id($0), push: -1, now: now) }
    }

    // MARK: Layout

    @Test func `a file is a head and rows of 24 bytes`() throws {
        let disk = ReplayDisk()
        let (set, journal) = try load(disk)
        #expect(disk.bytes[0] == Self.head + [0, 0, 0, 0, 0, 0, 0, 1])
        set.insert(id(0x0102_0304_0506_0708), push: 5, expiry: 3 * Self.minute, now: 0)
        try journal.commit(now: 0)
        let row: [UInt8] = [
            1, 2, 3, 4, 5, 6, 7, 8, 0xFE, 0xFD, 0xFC, 0xFB, 0xFA, 0xF9, 0xF8, 0xF7,
            // 5 in 38 bits, 3 in 26
            0, 0, 0, 0, 0x14, 0, 0, 3,
        ]
        #expect(disk.bytes[0].dropFirst(24).elementsEqual(row))
        #expect(disk.bytes[1] == [])
    }

    @Test func `the next process knows what the last one opened and how it counted`() throws {
        let disk = ReplayDisk()
        let first = try load(disk)
        insert(1...9, to: first.set)
        try first.journal.commit(now: now)
        let next = try load(disk.after(.machine))
        #expect(remembered(1...12, by: next.set) == Array(1...9))
        #expect(!next.set.isReplay(id(3), push: 3, now: now))
        #expect(next.set.nextPush == 10)
    }

    @Test func `what has expired is left behind, but not its number`() throws {
        let disk = ReplayDisk()
        let first = try load(disk)
        insert(1...9, to: first.set)
        try first.journal.commit(now: now)
        let later = now + 2 * Self.minute
        let next = try load(disk, now: later)
        #expect(next.set.count == 0)
        #expect(next.set.nextPush == 10)
        #expect(disk.bytes.map(\.count) == [0, 24])
    }

    @Test func `many rows cost one write and one sync`() throws {
        let disk = ReplayDisk()
        let (set, journal) = try load(disk, capacity: 256)
        disk.forgetCalls()
        insert(1...64, to: set)
        #expect(disk.bytes[0].count == 24)
        try journal.commit(now: now)
        #expect(disk.bytes[0].count == 24 + 64 * 24)
        #expect((disk.count(of: .write), disk.count(of: .sync)) == (1, 1))
        try journal.commit(now: now)
        #expect(disk.count(of: .sync) == 1)
    }

    @Test func `a file never grows past its stated bound`() throws {
        let disk = ReplayDisk()
        let (set, journal) = try load(disk, capacity: 16)
        let bound = ReplayJournal.largestFile(capacity: 16)
        #expect(bound == 24 * (1 + 2 * 16))
        // What an opener may write at all: OPENER_FILE_BYTES of launcher_protocol.h.
        #expect(ReplayJournal.largestFile(capacity: ReplaySet.defaultCapacity) <= 8 << 20)
        for number in 1...1000 as ClosedRange<UInt64> {
            set.insert(id(number), push: 1, expiry: now + Int64(number) * Self.minute, now: now)
            try journal.commit(now: now)
            #expect(disk.bytes.allSatisfy { $0.count <= bound })
        }
        #expect(remembered(996...1000, by: try load(disk, capacity: 16).set) == Array(996...1000))
    }

    // MARK: Torn and foreign files

    @Test(arguments: 1...23)
    func `a torn last row is cut off`(length: Int) throws {
        let disk = ReplayDisk()
        let first = try load(disk)
        insert(1...3, to: first.set)
        try first.journal.commit(now: now)
        let torn = disk.bytes[0].prefix(24 + 2 * 24 + length)
        let next = ReplayDisk(Array(torn))
        let (set, journal) = try load(next)
        #expect(remembered(1...3, by: set) == [1, 2])
        insert(4...4, to: set)
        try journal.commit(now: now)
        #expect(next.bytes[1].count == 24 + 3 * 24)
        #expect(remembered(1...4, by: try load(next).set) == [1, 2, 4])
    }

    @Test(arguments: 0...24)
    func `a head that was never finished counts for nothing`(length: Int) throws {
        let disk = ReplayDisk()
        let first = try load(disk)
        insert(1...3, to: first.set)
        try first.journal.commit(now: now)
        let start = Self.head + [0, 0, 0, 0, 0, 0, 0, 9]
        let zeros = [UInt8](repeating: 0, count: 96)
        for cut in [start.prefix(length) + zeros, length == 24 ? zeros : Array(start.prefix(length))] {
            #expect(remembered(1...3, by: try load(ReplayDisk(disk.bytes[0], cut)).set) == [1, 2, 3])
            #expect(remembered(1...3, by: try load(ReplayDisk(cut, disk.bytes[0])).set) == [1, 2, 3])
        }
    }

    @Test func `a file that is none of ours is refused and stays as it is`() throws {
        let later = Array(Self.head.dropLast() + [2])
        for foreign in [Array("SQLite format 3\0".utf8), later, [0, 0, 1]] {
            for index in 0...1 {
                let disk = index == 0 ? ReplayDisk(foreign, []) : ReplayDisk([], foreign)
                #expect(throws: ReplayJournalError.foreign(file: index)) { try load(disk) }
                #expect(disk.bytes[index] == foreign)
                #expect(disk.bytes[1 - index] == [])
            }
        }
    }

    @Test func `a file with the last generation there is, or with more rows than fit, is refused and stays`() throws {
        let last = Self.head + [UInt8](repeating: 0xFF, count: 8)
        let long = Self.head + KeyID(number: 1).bytes + [UInt8](repeating: 0, count: 128 * 24 + 1)
        let disk = ReplayDisk([], last)
        #expect(throws: ReplayJournalError.foreign(file: 1)) { try load(disk) }
        #expect(disk.bytes == [[], last])
        let other = ReplayDisk(long, [])
        #expect(throws: ReplayJournalError.unreadable(file: 0, code: EFBIG)) { try load(other) }
        #expect(other.bytes == [long, []])
        _ = try load(ReplayDisk(long.dropLast(), []))
    }

    // MARK: Ends

    /// Three rows a commit, a minute a commit, eight minutes a row: over a hundred commits each file has its turns.
    private func work(on disk: ReplayDisk, told: inout [(id: UInt64, time: Int64)], at time: inout Int64) throws {
        let (set, journal) = try load(disk)
        for round in 0..<100 as Range<UInt64> {
            let start = now + Int64(round) * Self.minute
            let numbers = (3 * round)..<(3 * round + 3)
            for number in numbers {
                set.insert(id(number), push: Int64(number), expiry: start + 8 * Self.minute, now: start)
            }
            time = start
            try journal.commit(now: start)
            told += numbers.map { ($0, start) }
        }
    }

    @Test(arguments: ReplayDisk.End.allCases, [nil, 1, 25] as [Int?])
    func `an end between any two calls loses nothing that anybody was told`(
        end: ReplayDisk.End,
        torn: Int?
    ) throws {
        var told: [(id: UInt64, time: Int64)] = []
        var time = now
        let whole = ReplayDisk()
        try work(on: whole, told: &told, at: &time)
        // Two for each time that the other file takes over: at the start, and in the course of the work.
        #expect(whole.count(of: .truncate) >= 6)
        for stop in 0..<whole.calls.count {
            let disk = ReplayDisk()
            disk.remainingCalls = stop
            disk.tornByteCount = torn
            told = []
            time = now
            #expect(throws: (any Error).self) { try work(on: disk, told: &told, at: &time) }
            let next = disk.after(end)
            for _ in 1...2 {
                let (set, journal) = try load(next, now: time)
                let live = told.filter { $0.time + 8 * Self.minute >= time }
                let lost = live.filter { !set.isReplay(id($0.id), push: -1, now: time) }
                #expect(lost.isEmpty, "\(stop) of \(whole.calls.count): \(lost.map(\.id))")
                #expect(live.allSatisfy { !set.isReplay(id($0.id), push: Int64($0.id), now: time) })
                // At most the three that nobody was told of.
                #expect(set.count <= live.count + 3)
                #expect(set.nextPush > live.last.map { Int64($0.id) } ?? -1)
                try journal.commit(now: time)
            }
        }
    }

    @Test(arguments: ReplayDisk.End.allCases)
    func `a second end, while the first one is repaired, loses nothing either`(end: ReplayDisk.End) throws {
        var told: [(id: UInt64, time: Int64)] = []
        var time = now
        let whole = ReplayDisk()
        try work(on: whole, told: &told, at: &time)
        // Where one file takes over from the other: what comes between is covered above.
        let turns = whole.calls.indices.filter { whole.calls[$0] == .truncate }
        for stop in Set(turns.flatMap { ($0 - 2)...($0 + 7) }).sorted() where whole.calls.indices.contains(stop) {
            let disk = ReplayDisk()
            disk.remainingCalls = stop
            told = []
            time = now
            #expect(throws: (any Error).self) { try work(on: disk, told: &told, at: &time) }
            let repaired = disk.after(end)
            _ = try load(repaired, now: time)
            let firstChange = try #require(repaired.calls.firstIndex(of: .truncate))
            for secondStop in firstChange..<repaired.calls.count {
                let next = disk.after(end)
                next.remainingCalls = secondStop
                _ = try? load(next, now: time)
                let live = told.filter { $0.time + 8 * Self.minute >= time }
                for secondEnd in [end, .process] {
                    let (set, _) = try load(next.after(secondEnd), now: time)
                    let lost = live.filter { !set.isReplay(id($0.id), push: -1, now: time) }
                    #expect(lost.isEmpty, "\(stop), then \(secondStop): \(lost.map(\.id))")
                }
            }
        }
    }

    @Test func `a disk without room refuses and forgets, and goes on when there is room`() throws {
        let disk = ReplayDisk()
        let (set, journal) = try load(disk)
        insert(1...2, to: set)
        try journal.commit(now: now)
        for room in [72, 73, 95, 100] {
            disk.room = room
            insert(3...4, to: set)
            #expect(throws: ReplayJournalError.notWritten(code: ENOSPC)) { try journal.commit(now: now) }
            #expect(remembered(1...4, by: set) == [1, 2])
            #expect(remembered(1...4, by: try load(disk.after(.process)).set) == [1, 2])
        }
        disk.room = .max
        insert(4...5, to: set)
        try journal.commit(now: now)
        #expect(remembered(1...5, by: try load(disk.after(.machine)).set) == [1, 2, 4, 5])
    }

    @Test func `a turn of the files without room leaves the old one in use`() throws {
        let disk = ReplayDisk()
        let (set, journal) = try load(disk, capacity: 8)
        var number: UInt64 = 0
        while disk.bytes[0].count + 24 <= ReplayJournal.largestFile(capacity: 8) {
            number += 1
            insert(number...number, to: set)
            try journal.commit(now: now)
        }
        disk.room = disk.bytes[0].count + 50
        insert(100...100, to: set)
        #expect(throws: ReplayJournalError.notWritten(code: ENOSPC)) { try journal.commit(now: now) }
        #expect(disk.bytes[1] == [])
        disk.room = .max
        insert(101...101, to: set)
        try journal.commit(now: now)
        #expect(disk.bytes[0] == [])
        #expect(remembered(100...101, by: try load(disk.after(.machine), capacity: 8).set) == [101])
    }

    @Test func `a sync that fails says that nobody knows`() throws {
        let disk = ReplayDisk()
        let (set, journal) = try load(disk)
        disk.syncFails = true
        insert(1...1, to: set)
        #expect(throws: ReplayJournalError.notSynced(code: EIO)) { try journal.commit(now: now) }
    }

    // MARK: Real files

    @Test func `real files hold the same bytes`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let paths = ["a", "b"].map { folder.appending(path: $0).path }
        let descriptors = paths.map { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
        defer { for descriptor in descriptors { close(descriptor) } }
        let files = descriptors.map { DescriptorFile($0) }
        let disk = ReplayDisk()
        let fake = try load(disk)
        let set = ReplaySet(capacity: 64)
        let journal = try ReplayJournal((files[0], files[1]), of: set, now: now)
        insert(1...20, to: set)
        insert(1...20, to: fake.set)
        try journal.commit(now: now)
        try fake.journal.commit(now: now)
        let written = try paths.map { Array(try Data(contentsOf: URL(filePath: $0))) }
        #expect(written == disk.bytes)
        let next = ReplaySet(capacity: 64)
        _ = try ReplayJournal((files[0], files[1]), of: next, now: now)
        #expect(remembered(1...20, by: next) == Array(1...20))
    }

    @Test func `a file that may not be written is no room, one that may not be read is unreadable`() throws {
        let reading = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let writing = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { for descriptor in [reading, writing] { close(descriptor) } }
        let set = ReplaySet(capacity: 8)
        #expect(throws: ReplayJournalError.notWritten(code: EINVAL)) {
            try ReplayJournal((DescriptorFile(reading), DescriptorFile(reading)), of: set, now: now)
        }
        #expect(throws: ReplayJournalError.unreadable(file: 0, code: EBADF)) {
            try ReplayJournal((DescriptorFile(writing), DescriptorFile(writing)), of: set, now: now)
        }
    }
}
