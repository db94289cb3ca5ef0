// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Foundation
import NotificationPayload

extension UNUserNotificationCenter {
    /// Asks the host, through the centre, for the app's device token; it is the same one until it is withdrawn.
    ///
    /// Errors: Cocoa 3000 for an app that the host does not serve, 3010 where no host is connected to the centre; POSIX
    /// `ENOSPC` when the host's disk does not take it.
    package func registerForRemoteNotifications() async throws -> Data {
        switch await outcome(of: .register) {
        case .answer(.token(let digits)):
            guard let token = Hexadecimal.decode(digits.utf8) else { throw CallFailure.noHost.error }
            return Data(token)
        case let outcome: throw outcome.error ?? CallFailure.noHost.error
        }
    }

    /// Makes the app's device token invalid: gateways hear 410 from then on.
    ///
    /// Errors: those of `registerForRemoteNotifications`.
    package func unregisterForRemoteNotifications() async throws {
        if let error = await outcome(of: .withdraw).error { throw error }
    }

    /// Takes the app's device token; `nil` means that it was withdrawn.
    package typealias TokenHandler = @Sendable (Data?) -> Void

    /// Hands on what the centre tells of the token.
    func hear(token digits: String?) {
        tokenHandler?(digits.flatMap { Hexadecimal.decode($0.utf8) }.map { Data($0) })
    }

    private func outcome(of call: CenterCall) async -> CenterConnection.Outcome {
        await withCheckedContinuation { done in client.ask(call) { done.resume(returning: $0) } }
    }
}
