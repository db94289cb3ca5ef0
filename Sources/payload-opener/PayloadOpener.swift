// SPDX-License-Identifier: Apache-2.0

import CLinux
import E2ECrypto
import Glibc
import NotificationPayload
import WorkerProtocol

/// The process that holds the keys: one thread, one socket, no files once it is ready.
///
/// Exits 0 when the host closes the socket, 1 for keys or a policy that cannot be used (after saying so with
/// `rejected`), 2 for anything that a sound host does not send.
@main
enum PayloadOpener {
    static func main() {
        let socket = HostSocket()
        do throws(Ending) {
            let apps = try prepare(socket)
            try socket.send(Packet(.ready, body: ["protocol": .integer(workerProtocolVersion)]))
            try serve(apps, on: socket)
        } catch {
            end(error, socket)
        }
    }

    /// The order matters: nobody may read this memory before keys are in it, and nothing but the socket is left open
    /// when the first push comes.
    private static func prepare(_ socket: HostSocket) throws(Ending) -> AppTable {
        // exec made the process dumpable again.
        guard linux_set_not_dumpable() == 0 else { throw .unusable("cannot hide its memory") }
        let arena: SecretArena
        do { arena = try SecretArena() } catch { throw .unusable("\(error)") }
        let hello = try Hello(try socket.receive())
        let selfTest: SelfTest
        do { selfTest = try SelfTest(in: arena) } catch { throw .unusable("\(error)") }
        let apps = try AppTable(hello, in: arena)
        do { try arena.makeReadOnly() } catch { throw .unusable("\(error)") }
        for descriptor in hello.keyDescriptors { close(descriptor) }
        guard HeapReserve.take() else { throw .unusable("cannot reserve memory") }
        if let failure = selfTest.firstFailure() { throw .unusable("self-test failed: \(failure)") }
        // From here on recvmsg, sendmsg and exit_group are the only system calls: a filter's place is here.
        return apps
    }

    private static func serve(_ apps: AppTable, on socket: HostSocket) throws(Ending) {
        while true {
            let packet = try socket.receive()
            let request = try OpenRequest(packet)
            let answer = try apps.answer(to: request, now: now())
            try socket.send(answer, orElse: request.refusal(.badContent))
        }
    }

    /// Unix milliseconds.
    private static func now() -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
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
            var message = "payload-opener: error: \(reason)\n"
            message.withUTF8 { text in
                _ = unsafe write(STDERR_FILENO, text.baseAddress, text.count)
            }
            exit(2)
        }
    }
}
