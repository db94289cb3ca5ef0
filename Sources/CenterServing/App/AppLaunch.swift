// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Locking
import Logging
import NotificationPayload
import PacketSockets
import UserNotificationCenter

/// The connections by which apps hear of responses, counted by app.
final class ListeningApps: Sendable {
    private let counts = Locked<[InstallationKey: Int]>([:])

    func contains(_ key: InstallationKey) -> Bool { counts.withLock { $0[key] != nil } }

    /// Counts a connection as long as the body runs.
    func with<Value>(_ key: InstallationKey, _ body: () async throws -> Value) async rethrows -> Value {
        counts.withLock { $0[key, default: 0] += 1 }
        defer {
            counts.withLock { counts in
                let left = (counts[key] ?? 1) - 1
                counts[key] = left == 0 ? nil : left
            }
        }
        return try await body()
    }
}

/// The way in which an app comes to a person who has answered its notification: the first of these that there is.
enum AppLaunch: Equatable {
    /// The app hears of it now.
    case connected
    /// The system starts the app, which then hears of it.
    case started
    /// Whoever shows notifications starts the program of the desktop file, or opens the address: one of them is there.
    case presenter(desktopEntry: String?, url: String?)
    /// The response waits for the app.
    case waits

    /// Brings the app about for a response; a socket at which nobody answers is logged, and the response waits.
    init(_ plan: ResponsePlan, of key: InstallationKey, content: JSONObject?, in center: Center) {
        self.init(toFront: plan.launch == .foreground, of: key, content: content, in: center)
    }

    /// Brings the app about; `toFront` means that a person wants to see it.
    init(toFront: Bool, of key: InstallationKey, content: JSONObject?, in center: Center) {
        let app = center.app(key)
        if center.listeningApps.contains(key) {
            self = .connected
        } else if let socket = app.startSocket, Self.start(socket, key, center.logger) {
            self = .started
        } else if toFront, app.url != nil || app.desktopEntry != nil {
            let target = content?["aps"]?.object?["target-content-id"]?.string
            self = .presenter(desktopEntry: app.desktopEntry, url: app.url.map { Self.address($0, target: target) })
        } else {
            self = .waits
        }
    }

    /// The program and the address for whoever shows notifications; `nil` means that there is nothing to bring about.
    var json: JSONObject? {
        guard case .presenter(let desktopEntry, let url) = self else { return nil }
        var object: JSONObject = [:]
        object["desktopEntry"] = desktopEntry.map(JSON.string)
        object["url"] = url.map(JSON.string)
        return object
    }

    private static func start(_ socket: String, _ key: InstallationKey, _ logger: Logger) -> Bool {
        do {
            try StartSocket.knock(at: socket)
            logger.info("app started", metadata: ["app": "\(key.app)"])
            return true
        } catch {
            logger.error(
                "app not started",
                metadata: ["app": "\(key.app)", "socket": "\(socket)", "error": "\(error)"]
            )
            return false
        }
    }

    /// Adds the place in the app to which a notification leads.
    static func address(_ url: String, target: String?) -> String {
        guard let target else { return url }
        let isPlain: (UInt8) -> Bool = { byte in
            byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        let digits = Array("0123456789ABCDEF")
        let escaped = target.utf8.map { byte in
            isPlain(byte) ? String(UnicodeScalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
        }.joined()
        // The address may have a question of its own, and a fragment is behind every question.
        let parts = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let mark = parts[0].contains("?") ? "&" : "?"
        let fragment = parts.count > 1 ? "#\(parts[1])" : ""
        return "\(parts[0])\(mark)target=\(escaped)\(fragment)"
    }
}
