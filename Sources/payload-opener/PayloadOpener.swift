// SPDX-License-Identifier: Apache-2.0

import CLinux
import CWipingHeap
import E2ECrypto
import Glibc
import NotificationPayload
import WorkerProtocol

/// The process that holds the keys: one thread, one socket, and no file but those of what it has opened.
///
/// Exits 0 when the host closes the socket, 1 for keys, files or a policy that cannot be used (after saying so with
/// `rejected`), 2 for anything that a sound host does not send, 3 when it cannot tell what the disk holds.
@main
enum PayloadOpener {
    static func main() {
        if CommandLine.arguments.dropFirst().elementsEqual(["--version"]) {
            print("payload-opener \(NESTBOX_VERSION)")
            return
        }
        let socket = HostSocket()
        do throws(Ending) {
            try prepare(socket).run()
        } catch {
            end(error, socket)
        }
    }

    /// The order matters: nobody may read this memory before keys are in it, and nothing but the socket and the files
    /// of what was opened is left open when the first push comes.
    private static func prepare(_ socket: HostSocket) throws(Ending) -> OpenLoop {
        // exec made the process dumpable again.
        guard linux_set_not_dumpable() == 0 else { throw .unusable("cannot hide its memory") }
        guard HeapReserve.settle() else { throw .unusable("cannot settle its memory") }
        guard wiping_heap_is_in_place() else { throw .unusable("cannot wipe its memory") }
        let hello = try Hello.receive(from: socket)
        let arena: SecretArena
        do { arena = try SecretArena(roomFor: hello.secretByteCount) } catch { throw .unusable("\(error)") }
        let selfTest: SelfTest
        do { selfTest = try SelfTest(in: arena) } catch { throw .unusable("\(error)") }
        let replays = try ReplayState(hello.replayDescriptors, now: OpenLoop.now())
        let apps = try AppTable(hello, in: arena, replays.set)
        do { try arena.makeReadOnly() } catch { throw .unusable("\(error)") }
        for descriptor in hello.keyDescriptors { close(descriptor) }
        let receiver: AttachmentReceiver
        do { receiver = try AttachmentReceiver(ownerCount: hello.apps.count) } catch { throw .unusable("\(error)") }
        guard HeapReserve.take() else { throw .unusable("cannot reserve memory") }
        if let failure = selfTest.firstFailure() { throw .unusable("self-test failed: \(failure)") }
        // Freeing it takes system calls that are over now; the kernel clears the pages of a process that ends.
        _ = unsafe Unmanaged.passRetained(arena)
        _ = unsafe Unmanaged.passRetained(receiver)
        try CallFilter.load(hasReplayFiles: !hello.replayDescriptors.isEmpty)
        try socket.send(
            Packet(
                .ready,
                body: ["protocol": .integer(workerProtocolVersion), "nextRow": .integer(replays.set.nextPush)]
            )
        )
        return OpenLoop(socket: socket, apps: apps, replays: replays, files: SealedFiles(receiver, socket))
    }

    private static func end(_ ending: Ending, _ socket: HostSocket) -> Never {
        switch ending {
        case .hostGone:
            exit(0)
        case .rejected(let rejection):
            try? socket.send(rejection.packet)
            exit(1)
        case .unusable(let reason):
            try? socket.send(Rejection(reason: "payload-opener: \(reason)").packet)
            exit(1)
        case .protocolViolation(let reason):
            say(reason)
            exit(2)
        case .storeLost(let reason):
            say(reason)
            exit(3)
        }
    }

    private static func say(_ reason: String) {
        var message = "payload-opener: error: \(reason)\n"
        message.withUTF8 { text in
            _ = unsafe write(STDERR_FILENO, text.baseAddress, text.count)
        }
    }
}
