// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Logging

@testable import Store

/// A state folder, and what stands in its registry.
enum RegistryFixture {
    static let chat = DeviceTokenTable.Registration(
        topic: "com.example.chat",
        environment: .development,
        pushTypes: [.alert, .voip]
    )
    static let mail = DeviceTokenTable.Registration(
        topic: "com.example.mail",
        environment: .production,
        pushTypes: [.alert]
    )
    static let first = String(repeating: "ab", count: 32)
    static let second = String(repeating: "cd", count: 32)
    static let start = Date(timeIntervalSince1970: 1_763_693_000.123)
    static let day = 24.0 * 3600
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    static func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let folder = NSTemporaryDirectory() + "nestbox-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder)
    }

    static func token(
        _ digits: String = first,
        of app: DeviceTokenTable.Registration = chat,
        origin: RegisteredToken.Origin = .minted,
        added: Date = start,
        removed: Date? = nil
    ) -> RegisteredToken {
        RegisteredToken(
            token: digits,
            topic: app.topic,
            environment: app.environment,
            origin: origin,
            added: added,
            removed: removed
        )
    }

    static func registry(
        _ folder: String,
        _ apps: [HostedTokens] = [HostedTokens(registration: chat)],
        at now: Date = start
    ) throws -> Registry {
        try Registry(folder: folder, apps: apps, now: { now }, logger: silent)
    }
}
