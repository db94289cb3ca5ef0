// SPDX-License-Identifier: Apache-2.0

private import Glibc
package import HostRuntime
private import Locking
private import NIOPosix

/// Looks names up.
package protocol NameResolving: Sendable {
    /// Calls `answer` exactly once, on any thread, with the addresses in the order to try them; with none when the name
    /// has none or cannot be looked up.
    func resolve(_ name: String, answer: @escaping @Sendable ([IPAddress]) -> Void)
}

/// The machine's own resolver, `getaddrinfo`, on threads of its own because it blocks.
///
/// Four look-ups run at once and 64 wait; beyond that a name has no address. A look-up that nobody waits for any more
/// keeps its thread until the resolver gives up.
package final class SystemResolver: NameResolving {
    private static let waitingLimit = 64
    private let threads = NIOThreadPool(numberOfThreads: 4)
    private let state = Locked((isStarted: false, openCount: 0))
    private let lookUp: @Sendable (String) -> [IPAddress]

    package convenience init() {
        self.init(lookUp: Self.addresses)
    }

    /// Asks something else than the machine; it may block.
    init(lookUp: @escaping @Sendable (String) -> [IPAddress]) {
        self.lookUp = lookUp
    }

    package func resolve(_ name: String, answer: @escaping @Sendable ([IPAddress]) -> Void) {
        let isAdmitted = state.withLock { state in
            guard state.openCount < Self.waitingLimit else { return false }
            // Not before: threads that start before the host has confined itself would not be confined.
            if !state.isStarted { threads.start() }
            state.isStarted = true
            state.openCount += 1
            return true
        }
        guard isAdmitted else { return answer([]) }
        threads.submit { [state, lookUp] _ in
            answer(lookUp(name))
            state.withLock { $0.openCount -= 1 }
        }
    }

    private static func addresses(_ name: String) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        return sequence(first: list) { $0?.pointee.ai_next }.prefix { $0 != nil }.compactMap { entry in
            guard let entry, let address = entry.pointee.ai_addr else { return nil }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = entry.pointee.ai_addrlen
            guard getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
                return nil
            }
            // One with a zone is good on one link only, and is no address to this reader.
            return IPAddress(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
        }
    }
}
