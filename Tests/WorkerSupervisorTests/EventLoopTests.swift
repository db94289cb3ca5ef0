// SPDX-License-Identifier: Apache-2.0

import Glibc
import Locking
import Synchronization
import Testing

@testable import WorkerSupervisor

/// The loop as an executor and as a watcher of descriptors, without a process.
@Suite(.timeLimit(.minutes(5)))
struct EventLoopTests {
    private let loop: EventLoop
    private let notes = Notes<String>()

    init() throws {
        loop = try EventLoop()
    }

    // MARK: Executor

    @Test func `an actor on the loop runs on its one thread`() async {
        let counter = LoopCounter(loop)
        let other = LoopCounter(loop)
        let threads = [await counter.thread(), await other.thread(), await counter.thread()]
        #expect(Set(threads).count == 1)
        #expect(threads[0] != UInt(pthread_self()))
        loop.stop()
    }

    @Test func `calls of an actor from everywhere are serial`() async {
        let counter = LoopCounter(loop)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<250 { await counter.increment() }
                }
            }
        }
        #expect(await counter.value == 2000)
        loop.stop()
    }

    @Test func `work of the loop may use its actor without waiting`() async {
        let counter = LoopCounter(loop)
        loop.perform { [notes] in
            counter.assumeIsolated { $0.increment() }
            notes.add("done")
        }
        #expect(await notes.next(1) == ["done"])
        #expect(await counter.value == 1)
        loop.stop()
    }

    @Test func `only the loop's thread counts as isolated`() async {
        #expect(loop.isIsolatingCurrentContext() == false)
        loop.perform { [loop, notes] in notes.add("\(loop.isIsolatingCurrentContext() == true)") }
        #expect(await notes.next(1) == ["true"])
        loop.stop()
    }

    @Test func `using its actor on another thread ends the process`() async {
        await #expect(processExitsWith: .failure) {
            incrementHere(LoopCounter(try EventLoop()))
        }
    }

    @Test func `a task may prefer the loop`() async {
        let counter = LoopCounter(loop)
        let thread = await Task(executorPreference: loop) { await currentThread() }.value
        #expect(thread == (await counter.thread()))
        loop.stop()
    }

    // MARK: Work

    @Test func `work runs in the order it came, from whichever thread`() async {
        for number in 0..<100 { loop.perform { [notes] in notes.add("\(number)") } }
        #expect(await notes.next(100) == (0..<100).map { "\($0)" })
        loop.perform { [loop, notes] in
            loop.perform {
                notes.add("inner")
                loop.perform { notes.add("innermost") }
            }
            notes.add("outer")
        }
        #expect(await notes.next(3) == ["outer", "inner", "innermost"])
        loop.stop()
    }

    @Test func `work that meets the loop's sleep is never lost`() async {
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<500 {
                        loop.perform { [notes] in notes.add("\(thread).\(number)") }
                        if number % 7 == 0 { await Task.yield() }
                    }
                }
            }
        }
        let all = await notes.next(2000)
        for thread in 0..<4 {
            #expect(all.filter { $0.hasPrefix("\(thread).") } == (0..<500).map { "\(thread).\($0)" })
        }
        loop.stop()
    }

    @Test func `stop runs what waits, then lets the loop go`() async throws {
        weak var released: EventLoop?
        do {
            let loop = try EventLoop()
            released = loop
            for number in 0..<10 { loop.perform { [notes] in notes.add("\(number)") } }
            loop.stop()
        }
        #expect(await notes.next(10) == (0..<10).map { "\($0)" })
        while released != nil, !Task.isCancelled { await Task.yield() }
        #expect(released == nil)
    }

    @Test func `what is to be done soonest is done at once on the loop, and as work elsewhere`() async {
        loop.perform { [loop, notes] in
            loop.perform { notes.add("later") }
            loop.performSoonest { notes.add("now") }
            notes.add("end")
        }
        #expect(await notes.next(3) == ["now", "end", "later"])
        loop.performSoonest { [loop, notes] in notes.add("\(loop.isIsolatingCurrentContext() == true)") }
        #expect(await notes.next(1) == ["true"])
        loop.stop()
    }

    // MARK: Sleep

    @Test func `a sleep lasts its span at least, and goes on where its task prefers to run`() async throws {
        let begun = ContinuousClock.now
        let thread = try await Task(executorPreference: loop) { [loop] in
            try await loop.sleep(for: .milliseconds(20))
            return await currentThread()
        }.value
        #expect(ContinuousClock.now - begun >= .milliseconds(20))
        #expect(thread == (await LoopCounter(loop).thread()))
        loop.stop()
    }

    @Test func `sleepers wake in the order of their ends, whoever came first`() async throws {
        // One beginning for all: the ends keep their order, whenever each task starts.
        let begin = ContinuousClock.now
        try await withThrowingTaskGroup { group in
            for milliseconds in [3000, 1000, 2000] {
                group.addTask(executorPreference: loop) { [loop, notes] in
                    try await loop.sleep(for: begin + .milliseconds(milliseconds) - ContinuousClock.now)
                    notes.add("\(milliseconds)")
                }
            }
            try await group.waitForAll()
        }
        #expect(await notes.next(3) == ["1000", "2000", "3000"])
        loop.stop()
    }

    @Test func `a span that is not positive is over at once`() async throws {
        try await loop.sleep(for: .zero)
        try await loop.sleep(for: .seconds(-1))
        loop.stop()
    }

    @Test(arguments: [false, true])
    func `a cancelled sleep ends at once, and no other with it`(_ isBegun: Bool) async throws {
        let other = Task { [loop] in try await loop.sleep(for: .milliseconds(50)) }
        let sleep = Task { [loop, notes] in
            notes.add("begun")
            try await loop.sleep(for: .seconds(3600))
        }
        if isBegun { _ = await notes.next(1) }
        sleep.cancel()
        await #expect(throws: CancellationError.self) { try await sleep.value }
        try await other.value
        loop.stop()
    }

    // MARK: Descriptors

    @Test func `a handler is called when its descriptor can be read`() async throws {
        let pipe = try Pipe()
        let registration = try loop.register(pipe.reader, interest: .read) { [notes] readiness in
            notes.add("\(readiness == .read) \(pipe.read())")
        }
        pipe.write("a")
        #expect(await notes.next(1) == ["true a"])
        pipe.write("b")
        #expect(await notes.next(1) == ["true b"])
        loop.forget(pipe.reader, registration: registration)
        loop.stop()
    }

    @Test func `a handler is called until it has read all`() async throws {
        let pipe = try Pipe()
        let registration = try loop.register(pipe.reader, interest: .read) { [notes] _ in
            notes.add(pipe.read(count: 1))
        }
        pipe.write("abc")
        #expect(await notes.next(3) == ["a", "b", "c"])
        loop.forget(pipe.reader, registration: registration)
        loop.stop()
    }

    @Test func `the other end's closing is reported without being asked for`() async throws {
        let pipe = try Pipe()
        let registration = Locked<UInt64>(0)
        let number = try loop.register(pipe.reader, interest: []) { [loop, notes] readiness in
            loop.forget(pipe.reader, registration: registration.withLock { $0 })
            notes.add("\(readiness.isDisjoint(with: .hangUp)) \(readiness.contains(.read))")
        }
        registration.withLock { $0 = number }
        pipe.closeWriter()
        #expect(await notes.next(1) == ["false false"])
        loop.stop()
    }

    @Test func `interest may change`() async throws {
        let pipe = try Pipe()
        let registration = Locked<UInt64>(0)
        let number = try loop.register(pipe.writer, interest: []) { [loop, notes] readiness in
            try? loop.change(pipe.writer, registration: registration.withLock { $0 }, interest: [])
            notes.add("\(readiness == .write)")
        }
        registration.withLock { $0 = number }
        for _ in 0..<2 { loop.perform { [notes] in notes.add("turn") } }
        #expect(await notes.next(2) == ["turn", "turn"])
        try loop.change(pipe.writer, registration: number, interest: .write)
        #expect(await notes.next(1) == ["true"])
        loop.forget(pipe.writer, registration: number)
        loop.stop()
    }

    @Test func `a forgotten descriptor is never handled again, even in the same turn`() async throws {
        let (first, second) = (try Pipe(), try Pipe())
        let registrations = Locked<[UInt64]>([])
        for (pipe, other, index) in [(first, second, 1), (second, first, 0)] {
            let registration = try loop.register(pipe.reader, interest: .read) { [loop, notes] _ in
                // Whichever comes first takes the other out.
                loop.forget(other.reader, registration: registrations.withLock { $0[index] })
                notes.add(pipe.read())
            }
            registrations.withLock { $0.append(registration) }
        }
        // Both become readable while the loop is busy, so that one turn sees both.
        loop.perform {
            first.write("x")
            second.write("x")
        }
        #expect(await notes.next(1) == ["x"])
        loop.perform { [notes] in notes.add("end") }
        #expect(await notes.next(1) == ["end"])
        loop.stop()
    }

    @Test func `an event of an old registration does not reach a new one of the same number`() async throws {
        let old = try Pipe()
        let number = old.reader
        let registration = try loop.register(number, interest: .read) { [notes] _ in notes.add("old") }
        loop.forget(number, registration: registration)
        let new = try Pipe()
        #expect(dup2(new.reader, number) == number)
        let next = try loop.register(number, interest: .read) { [notes] _ in
            notes.add("new " + new.read())
        }
        #expect(next != registration)
        new.write("a")
        #expect(await notes.next(1) == ["new a"])
        loop.forget(number, registration: next)
        loop.stop()
    }

    @Test func `a descriptor that cannot be watched is refused`() throws {
        #expect(throws: SystemError("epoll_ctl", EBADF)) {
            _ = try loop.register(-1, interest: .read) { _ in }
        }
        let pipe = try Pipe()
        let registration = try loop.register(pipe.reader, interest: .read) { _ in }
        #expect(throws: SystemError("epoll_ctl", EEXIST)) {
            _ = try loop.register(pipe.reader, interest: .read) { _ in }
        }
        loop.forget(pipe.reader, registration: registration)
        #expect(throws: SystemError("epoll_ctl", ENOENT)) {
            try loop.change(pipe.reader, registration: registration, interest: .read)
        }
        loop.stop()
    }

    @Test func `a failed system call is named in lower case`() {
        #expect(SystemError("epoll_ctl", EBADF).description == "epoll_ctl: bad file descriptor")
    }
}

/// An actor whose executor is the loop.
private actor LoopCounter {
    private let loop: EventLoop
    private(set) var value = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    func increment() { value += 1 }
    func thread() -> UInt { UInt(pthread_self()) }
}

/// Claims to be on the counter's loop.
private func incrementHere(_ counter: LoopCounter) {
    counter.assumeIsolated { $0.increment() }
}

private func currentThread() async -> UInt {
    UInt(pthread_self())
}

/// The events of a test in order, to be awaited.
private struct Notes<Element: Sendable>: Sendable {
    private let stream: AsyncStream<Element>
    private let continuation: AsyncStream<Element>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func add(_ element: Element) {
        continuation.yield(element)
    }

    func next(_ count: Int) async -> [Element] {
        var elements: [Element] = []
        for await element in stream {
            elements.append(element)
            if elements.count == count { break }
        }
        return elements
    }
}

/// Two ends that live as long as the pipe does.
private final class Pipe: Sendable {
    let reader: CInt
    let writer: CInt
    private let isWriterClosed = Atomic<Bool>(false)

    init() throws {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError("pipe", errno) }
        (reader, writer) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
    }

    deinit {
        close(reader)
        closeWriter()
    }

    func closeWriter() {
        if !isWriterClosed.exchange(true, ordering: .relaxed) { close(writer) }
    }

    func write(_ text: String) {
        _ = Glibc.write(writer, text, text.utf8.count)
    }

    func read(count: Int = 64) -> String {
        var buffer = [UInt8](repeating: 0, count: count)
        let received = Glibc.read(reader, &buffer, count)
        return String(decoding: buffer.prefix(max(0, received)), as: UTF8.self)
    }
}
