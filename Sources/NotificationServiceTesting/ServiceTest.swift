// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload
public import UserNotifications

/// Tests an extension's class in this process, under Apple's contract and a clock that the test moves.
///
/// ```swift
/// let test = ServiceTest(NotificationService())
/// let result = try await test.run(#"{"aps": {"alert": "Hi", "mutable-content": 1}}"#)
/// #expect(result.outcome == .modified)
/// #expect(result.content.body == "Hi!")
/// ```
/// No time passes by itself: an extension that never completes keeps `run` waiting, as long as the test's own time
/// limit lets it. `begin(_:)` gives a run whose time the test moves.
///
/// There is no sandbox and no process of its own here: what the class may reach, and what a crash does, is
/// `BundleTest`'s. Texts that a push names by key are not put in, as the host does for `BundleTest`: give title and
/// body themselves.
public struct ServiceTest: Sendable {
    let budget: Duration
    let grace: Duration
    let filtersNotifications: Bool
    let makeExtension: @Sendable () -> UNNotificationServiceExtension

    /// A test of what the expression makes, which is a new instance for every notification, as in a worker.
    ///
    /// `filtersNotifications` says that the app has Apple's entitlement for filtering: empty content then suppresses.
    public init(
        _ makeExtension: @autoclosure @escaping @Sendable () -> UNNotificationServiceExtension,
        budget: Duration = .seconds(30),
        grace: Duration = .seconds(2),
        filtersNotifications: Bool = false
    ) {
        precondition(.zero < grace && grace < budget, "the last call comes within the budget")
        CenterReach.forbid()
        self.makeExtension = makeExtension
        self.budget = budget
        self.grace = grace
        self.filtersNotifications = filtersNotifications
    }

    /// Hands a push, the JSON of an APNs payload, to the extension and waits for its completion.
    ///
    /// Throws `PayloadProblem` when the text is none, `CancellationError` when the task is cancelled meanwhile.
    public func run(_ payload: String) async throws -> ServiceResult {
        try await begin(payload).result
    }

    /// Hands a push to the extension; its time stands still until the test moves it.
    ///
    /// A push that does not start an extension, for want of `mutable-content` or of an alert, has its result at once:
    /// `original`, `notMutable`.
    ///
    /// Throws `PayloadProblem` when the text is no payload.
    public func begin(_ payload: String) throws(PayloadProblem) -> ServiceRun {
        ServiceRun(self, payload: try PayloadProblem.parse(payload))
    }
}

/// A text that is no APNs payload, and why.
public struct PayloadProblem: Error, Equatable, CustomStringConvertible {
    /// A sentence for people that says what is wrong with the text.
    public let description: String

    package static func parse(_ text: String) throws(PayloadProblem) -> Payload {
        do {
            return try Payload(parsing: Array(text.utf8).span)
        } catch {
            throw PayloadProblem(description: "no payload: \(error)")
        }
    }
}
