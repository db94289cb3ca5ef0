// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Locking
import NotificationPayload

/// Answers as it is told and remembers what it was asked.
final class FakeOpener: PayloadOpening {
    struct Call: Sendable {
        let id: String
        let app: String
        let deadline: Duration
    }

    private let answer: @Sendable () -> OpenResult
    private let seen = Locked<[Call]>([])

    var calls: [Call] { seen.withLock { $0 } }

    init(_ answer: @escaping @Sendable () -> OpenResult = { .unavailable }) {
        self.answer = answer
    }

    func open(_ request: OpenRequest, deadline: Duration) async -> OpenResult {
        seen.withLock { $0.append(Call(id: request.push.id, app: request.app, deadline: deadline)) }
        return answer()
    }
}

/// Answers as it is told and remembers what it was given.
final class FakeRunner: ExtensionRunning {
    struct Call: Sendable {
        let app: String
        let payload: Payload
        let window: BudgetWindow
    }

    private let answer: @Sendable (Payload) -> ExtensionResult
    private let seen = Locked<[Call]>([])

    var calls: [Call] { seen.withLock { $0 } }

    /// The answer may depend on the content the extension is given.
    init(_ answer: @escaping @Sendable (Payload) -> ExtensionResult) {
        self.answer = answer
    }

    convenience init(_ conclusion: ExtensionResult.Conclusion) {
        self.init { _ in ExtensionResult(conclusion, worker: nil) }
    }

    func run(_ request: ExtensionRequest, window: BudgetWindow) async -> ExtensionResult {
        seen.withLock { $0.append(Call(app: request.app, payload: request.payload, window: window)) }
        return answer(request.payload)
    }
}

extension HostedApp {
    static func sample(
        sealedFields: Set<SealedField> = [.encryptedContent],
        hasExtension: Bool = true,
        filters: Bool = false,
        allowsCriticalAlerts: Bool = false
    ) -> HostedApp {
        HostedApp(
            topic: "com.example.chat",
            sealedFields: sealedFields,
            extension: hasExtension ? HostedExtension(filtersNotifications: filters) : nil,
            budget: .seconds(30),
            grace: .seconds(2),
            allowsCriticalAlerts: allowsCriticalAlerts
        )
    }
}
