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
        let files: [Attachment]
        let time: ExtensionTime
    }

    private let answer: @Sendable (ExtensionRequest) -> ExtensionResult
    private let seen = Locked<[Call]>([])

    var calls: [Call] { seen.withLock { $0 } }

    /// The answer may depend on the content the extension is given.
    convenience init(_ answer: @escaping @Sendable (Payload) -> ExtensionResult) {
        self.init(to: { answer($0.payload) }, ())
    }

    private init(to answer: @escaping @Sendable (ExtensionRequest) -> ExtensionResult, _: Void) {
        self.answer = answer
    }

    /// The answer may depend on all of the request.
    static func answering(_ answer: @escaping @Sendable (ExtensionRequest) -> ExtensionResult) -> FakeRunner {
        FakeRunner(to: answer, ())
    }

    convenience init(_ conclusion: ExtensionResult.Conclusion) {
        self.init { _ in ExtensionResult(conclusion, worker: nil) }
    }

    func run(_ request: ExtensionRequest, within time: ExtensionTime) async -> ExtensionResult {
        seen.withLock {
            $0.append(Call(app: request.app, payload: request.payload, files: request.files, time: time))
        }
        return answer(request)
    }
}

/// Routes the records of a topic as it is told.
struct FakeRoutes: Outbox {
    let route: @Sendable (String) -> [String]

    init(_ route: @escaping @Sendable (String) -> [String]) {
        self.route = route
    }

    func sinks(taking topic: String) -> [String] { route(topic) }
}

extension HostedApp {
    static func sample(
        sealedFields: Set<SealedField> = [.encryptedContent],
        hasExtension: Bool = true,
        filters: Bool = false,
        seesSealedFiles: Bool = false,
        allowsCriticalAlerts: Bool = false,
        texts: LocalizedTexts = LocalizedTexts()
    ) -> HostedApp {
        HostedApp(
            topic: "com.example.chat",
            sealedFields: sealedFields,
            extension: hasExtension
                ? HostedExtension(filtersNotifications: filters, seesSealedFiles: seesSealedFiles) : nil,
            budget: .seconds(30),
            grace: .seconds(2),
            allowsCriticalAlerts: allowsCriticalAlerts,
            texts: texts
        )
    }
}
