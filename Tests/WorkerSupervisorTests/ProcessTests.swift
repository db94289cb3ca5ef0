// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostRuntime
import Testing

@testable import WorkerSupervisor

/// The facts that are read of a process, and the meaning of its end.
struct ProcessTests {
    // MARK: MemoryStatus

    @Test func `what is a process's own is counted, shared files apart`() {
        let status = """
            Name:\tChat
            Umask:\t0022
            VmPeak:\t  999999 kB
            VmRSS:\t   20480 kB
            RssAnon:\t    1024 kB
            RssFile:\t   16384 kB
            RssShmem:\t       8 kB
            VmData:\t   77777 kB
            VmPTE:\t      60 kB
            VmSwap:\t       4 kB
            Threads:\t1
            """
        let memory = MemoryStatus(status.utf8)
        #expect(memory?.countedByteCount == (1024 + 8 + 60 + 4) * 1024)
        #expect(memory?.fileByteCount == 16_384 * 1024)
    }

    @Test(
        arguments: [
            ("RssAnon:\t0 kB\n", 0), ("RssAnon:\t1 kB", 1024), ("RssAnon:       12 kB\nVmSwap:\t1 kB\n", 13 * 1024),
            ("VmPTE:\t1 kB\nRssAnon:\t1 kB\n", 2048), ("\n\nRssAnon:\t3 kB\n\n", 3072),
            ("xRssAnon:\t5 kB\nRssAnon:\t1 kB\n", 1024), ("RssAnonymous:\t5 kB\nRssAnon:\t1 kB\n", 1024),
        ] as [(String, UInt64)]
    )
    func `lines are read by their whole name`(text: String, byteCount: UInt64) {
        #expect(MemoryStatus(text.utf8)?.countedByteCount == byteCount)
    }

    @Test(arguments: ["", "\n", "Name:\tChat\nState:\tZ (zombie)\nThreads:\t1\n", "VmSwap:\t1 kB\n", "RssAnon:\n"])
    func `a process without memory has no status`(text: String) {
        #expect(MemoryStatus(text.utf8) == nil)
    }

    @Test func `this process has memory of its own`() throws {
        let descriptor = Descriptor(open("/proc/self/status", O_RDONLY | O_CLOEXEC))
        let memory = try #require(MemoryStatus(descriptor: descriptor.raw))
        #expect(memory.countedByteCount > 64 * 1024)
        #expect(memory.fileByteCount > 64 * 1024)
        #expect(MemoryStatus(descriptor: -1) == nil)
    }

    // MARK: ProcessExit

    private static let limit: UInt64 = 24 << 20

    @Test(arguments: [0, 1, 2, 255] as [Int32])
    func `a program that ended by itself exited early, however much it used`(status: Int32) {
        let exit = ProcessExit(code: Int32(CLD_EXITED), status: status, peakResidentByteCount: .max)
        #expect(exit.failure(memoryLimitByteCount: Self.limit, fileByteCount: 0) == .exitedEarly)
        #expect(exit.signal == nil)
        #expect(exit.description == "status \(status)")
    }

    @Test(arguments: [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGKILL, SIGSYS, SIGXCPU, SIGTERM])
    func `a signal far below the limit is a crash`(signal: Int32) {
        for code in [CLD_KILLED, CLD_DUMPED] {
            let exit = ProcessExit(code: Int32(code), status: signal, peakResidentByteCount: 8 << 20)
            #expect(
                exit.failure(memoryLimitByteCount: Self.limit, fileByteCount: 4 << 20) == .crashed(signal: signal)
            )
            #expect(exit.signal == signal)
            #expect(exit.description == "signal \(signal)")
        }
    }

    @Test(arguments: [SIGILL, SIGTRAP, SIGABRT, SIGSEGV])
    func `a program that gives up at the limit ran out of memory`(signal: Int32) {
        let exit = ProcessExit(code: Int32(CLD_KILLED), status: signal, peakResidentByteCount: Self.limit)
        #expect(exit.failure(memoryLimitByteCount: Self.limit, fileByteCount: 0) == .memoryLimitExceeded)
    }

    @Test(arguments: [SIGBUS, SIGFPE, SIGKILL, SIGSYS, SIGXCPU, SIGTERM])
    func `a signal that has nothing to do with memory is a crash at the limit too`(signal: Int32) {
        let exit = ProcessExit(code: Int32(CLD_KILLED), status: signal, peakResidentByteCount: Self.limit)
        #expect(exit.failure(memoryLimitByteCount: Self.limit, fileByteCount: 0) == .crashed(signal: signal))
    }

    @Test(
        arguments: [
            // More than nine tenths, without the pages of shared files.
            (900, 0, 1000, false), (901, 0, 1000, true), (1901, 1000, 1000, true), (1900, 1000, 1000, false),
            // More file pages at the start than were ever resident later.
            (500, 1000, 1000, false), (0, .max, 1000, false), (.max, 0, 1000, true), (.max, .max, 1000, false),
            (.max, 0, .max, true),
        ] as [(UInt64, UInt64, UInt64, Bool)]
    )
    func `nine tenths of the limit is the border`(peak: UInt64, file: UInt64, limit: UInt64, isExceeded: Bool) {
        let exit = ProcessExit(code: Int32(CLD_DUMPED), status: SIGSEGV, peakResidentByteCount: peak)
        let failure = exit.failure(memoryLimitByteCount: limit, fileByteCount: file)
        #expect(failure == (isExceeded ? .memoryLimitExceeded : .crashed(signal: SIGSEGV)))
    }

    // MARK: WorkerAllowance

    @Test func `256 messages at once are taken, the rest is dropped and counted`() {
        var allowance = WorkerAllowance()
        let taken = (0..<300).filter { _ in allowance.takeLog(now: .zero) }
        #expect(taken.count == 256)
        #expect(allowance.droppedLogCount == 44)
    }

    @Test func `64 more come a second, up to 256`() {
        var allowance = WorkerAllowance()
        func takeAll(at now: Duration) -> Int { (0..<1000).count { _ in allowance.takeLog(now: now) } }
        let counts = [
            takeAll(at: .seconds(1)), takeAll(at: .seconds(1)), takeAll(at: .seconds(2)),
            takeAll(at: .milliseconds(2500)), takeAll(at: .seconds(6)), takeAll(at: .seconds(1_000_000)),
        ]
        #expect(counts == [256, 0, 64, 32, 224, 256])
        #expect(allowance.droppedLogCount == 6000 - counts.reduce(0, +))
    }

    @Test func `a steady stream below the rate is never dropped`() {
        var allowance = WorkerAllowance()
        let taken = (0..<10_000).count { allowance.takeLog(now: .milliseconds(16 * $0)) }
        #expect(taken == 10_000)
        #expect(allowance.droppedLogCount == 0)
    }

    @Test func `a megabyte a second is taken, and once as much at once`() {
        var allowance = WorkerAllowance()
        func takeAll(at now: Duration, byteCount: Int) -> Int {
            (0..<100_000).count { _ in allowance.takePacket(byteCount: byteCount, now: now) }
        }
        #expect(takeAll(at: .zero, byteCount: 50_000) == 20)
        #expect(takeAll(at: .zero, byteCount: 50_000) == 0)
        #expect(takeAll(at: .milliseconds(500), byteCount: 50_000) == 10)
        // Small ones count as 128 bytes.
        #expect(takeAll(at: .seconds(10), byteCount: 9) == 1_000_000 / 128)
    }

    // MARK: Text of a process

    @Test(
        arguments: [
            ("", ""), ("plain text", "plain text"), ("é😀\u{A0}", "é😀\u{A0}"),
            ("\u{202E}\u{2028}", #"\u{202e}\u{2028}"#),
            ("a\nb", #"a\u{a}b"#), ("\r\n", #"\u{d}\u{a}"#), ("\t", #"\u{9}"#), ("\u{0}", #"\u{0}"#),
            ("\u{1B}[31mred", #"\u{1b}[31mred"#), ("\u{7F}", #"\u{7f}"#), ("\u{85}\u{9B}", #"\u{85}\u{9b}"#),
            ("e\u{301}\n\u{301}", "e\u{301}\\u{a}\u{301}"), (#"\u{a}"#, #"\u{a}"#),
        ] as [(String, String)]
    )
    func `control characters are spelt out`(text: String, escaped: String) {
        #expect(Array(text.asLogLine.unicodeScalars) == Array(escaped.unicodeScalars))
    }

    @Test func `a line is cut at 1,024 scalars, however few characters they make`() {
        #expect(("e" + String(repeating: "\u{301}", count: 5000)).asLogLine.unicodeScalars.count == 1024)
    }

    @Test func `no control character survives`() {
        for value in UInt32(0)..<0x100 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let escaped = String(scalar).asLogLine
            #expect(!escaped.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
        }
    }
}
