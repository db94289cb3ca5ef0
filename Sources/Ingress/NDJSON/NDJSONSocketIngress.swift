// SPDX-License-Identifier: Apache-2.0

private import Dispatch
private import Glibc
package import HostRuntime
package import Logging

private import class Foundation.Thread

/// Takes pushes from a Unix socket, one JSON object a line, and answers each line in its order.
///
/// An answer `{"id":…,"status":200}` means that the push is kept. A client that sends more than the host takes is not
/// read meanwhile. Each client has a thread of its own, so there is a limit to them.
package struct NDJSONSocketIngress: Sendable {
    /// The number of clients that are served at a time.
    ///
    /// One more takes the place of the client that has been idle for longest, of the user that has most clients and no
    /// fewer than the newcomer's; if all are at work it hears `ServiceUnavailable` and is let go.
    package static let clientLimit = 64

    private let socket: ListeningSocket
    private let clientLimit: Int
    /// Makes the source of a client's lines from its descriptor and its user.
    private let source:
        @Sendable (Int32, UInt32, @escaping @Sendable (Bool) -> Void, @escaping @Sendable () -> Bool) -> LineSource
    private let connections: Gauge
    private let logger: Logger

    /// Serves nothing before `run()`.
    ///
    /// `firstToken` is what it is for `NDJSONIngress`.
    package init(
        socket: ListeningSocket,
        tokens: any DeviceTokens,
        firstToken: @escaping @Sendable (String) -> String?,
        conformance: Conformance = .lenient,
        acceptor: any PushAcceptor,
        metrics: HostMetrics = HostMetrics(),
        logger: Logger,
        clientLimit: Int = Self.clientLimit
    ) {
        self.socket = socket
        self.clientLimit = clientLimit
        self.logger = logger
        let counts = metrics.ingress
        connections = counts.connections.with("socket")
        source = { client, user, work, hasGivenWay in
            LineSource(
                client: client,
                of: user,
                tokens: tokens,
                firstToken: firstToken,
                conformance: conformance,
                acceptor: acceptor,
                metrics: counts,
                logger: logger,
                work: work,
                hasGivenWay: hasGivenWay
            )
        }
    }

    /// Serves clients until the task is cancelled and every line that was read has its answer.
    package func run() async throws(IngressError) {
        let bell: Bell
        do {
            bell = try Bell()
        } catch {
            throw IngressError(.readFailed, "cannot make a pipe: errno \(error.errno)")
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { ended in
                let thread = Thread {
                    serve(until: bell)
                    ended.resume()
                }
                thread.name = "ingress-socket"
                thread.start()
            }
        } onCancel: {
            bell.ring()
        }
    }

    private func serve(until bell: Bell) {
        let clients = DispatchGroup()
        let places = LineClients(limit: clientLimit)
        while bell.waitForInput(socket.descriptor) {
            let client = accept(socket.descriptor, nil, nil)
            guard client >= 0 else {
                // No descriptor is free, most likely: one may be soon.
                if errno != EINTR, errno != ECONNABORTED, bell.waitForRing(.milliseconds(100)) { break }
                continue
            }
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            _ = fcntl(client, F_SETFL, O_NONBLOCK)
            guard let user = admittedUser(of: client), let place = place(for: client, of: user, in: places) else {
                close(client)
                continue
            }
            clients.enter()
            connections.add(1)
            let thread = Thread {
                let source = source(client, user, { places.work(place, $0) }, { places.hasGivenWay(place) })
                var reader = NDJSONReader(source: source, bell: bell)
                _ = reader.readToEnd()
                places.remove(place)
                close(client)
                connections.add(-1)
                clients.leave()
            }
            thread.name = "ingress-client"
            thread.start()
        }
        clients.wait()
        socket.remove()
    }

    private func admittedUser(of client: Int32) -> UInt32? {
        guard let user = ListeningSocket.user(at: client), socket.users.contains(user) else {
            logger.warning("another user's connection was closed", metadata: ["push.ingress": "socket"])
            return nil
        }
        return user
    }

    private func place(for client: Int32, of user: UInt32, in places: LineClients) -> LineClients.Ticket? {
        if let place = places.admit(client, of: user) { return place }
        let refusal = Array(#"{"status":503,"reason":"ServiceUnavailable"}"#.utf8) + [UInt8(ascii: "\n")]
        _ = send(client, refusal, refusal.count, Int32(MSG_NOSIGNAL))
        return nil
    }
}
