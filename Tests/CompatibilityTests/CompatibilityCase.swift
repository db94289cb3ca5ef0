// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// An extension of the suite, and all that must come of it.
struct CompatibilityCase: Sendable {
    /// The name of the extension's folder below `Extensions`, or a path below the checkout.
    let name: String
    /// The idiom that the extension shows, in a few words.
    let idiom: String
    /// Swift's language mode; 5 is what an extension's target has in Xcode.
    var mode = "5"
    /// Further options of `extension-host build`.
    var build: [String] = []
    /// Options of `extension-host run`.
    var run: [String] = []
    let expected: Expectation

    init(
        _ name: String,
        _ idiom: String,
        mode: String = "5",
        build: [String] = [],
        run: [String] = [],
        _ expected: Expectation
    ) {
        self.name = name
        self.idiom = idiom
        self.mode = mode
        self.build = build
        self.run = run
        self.expected = expected
    }

    /// The places of a checkout.
    var folder: String { name.contains("/") ? name : "Tests/CompatibilityTests/Extensions/\(name)" }

    /// The last part of the name.
    var title: String { name.split(separator: "/").last.map(String.init) ?? name }

    enum Expectation: Sendable {
        /// One for each push, in their order, all by one process.
        case deliveries([Delivery])
        /// Parts of what the compiler says, each with its place.
        case compilerErrors([String])
    }

    /// The contents that a delivery record, and the log beside it, must have.
    struct Delivery: Sendable {
        var outcome: String
        var reason: String?
        var isLate = false
        /// Paths of keys in the payload and their values; all else is as it was sent.
        var changes: [String: JSON] = [:]
        /// Paths of keys that are gone.
        var removed: [String] = []
        /// "identifier type size", and "UUID" for an identifier that is one.
        var attachments: [String] = []
        /// "identifier reason".
        var refusedAttachments: [String] = []
        /// Parts of the host's log.
        var log: [String] = []
        /// Nowhere in the host's log.
        var absentFromLog: [String] = []
    }
}

extension CompatibilityCase.Expectation {
    static func modified(
        _ changes: [String: JSON] = [:],
        removed: [String] = [],
        attachments: [String] = [],
        refused: [String] = [],
        late: Bool = false,
        log: [String] = [],
        absentFromLog: [String] = []
    ) -> Self {
        .deliveries([
            CompatibilityCase.Delivery(
                outcome: "modified",
                isLate: late,
                changes: changes,
                removed: removed,
                attachments: attachments,
                refusedAttachments: refused,
                log: log,
                absentFromLog: absentFromLog
            )
        ])
    }

    /// Expects one modified delivery for each argument, in order, of a push that is sent as many times.
    static func eachModified(_ changes: [String: JSON]...) -> Self {
        .deliveries(changes.map { CompatibilityCase.Delivery(outcome: "modified", changes: $0) })
    }

    /// The payload as it was sent.
    static func original(_ reason: String, log: [String] = []) -> Self {
        .deliveries([CompatibilityCase.Delivery(outcome: "original", reason: reason, log: log)])
    }

    static var suppressed: Self {
        .deliveries([CompatibilityCase.Delivery(outcome: "suppressed", reason: "filtered")])
    }
}

extension JSONObject {
    /// The same with values at some paths and none at others; points separate the keys of a path.
    func applying(_ changes: [String: JSON], removing removed: [String]) -> JSONObject {
        var object = self
        for (path, value) in changes { object.set(value, at: Self.keys(path)) }
        for path in removed { object.set(nil, at: Self.keys(path)) }
        return object
    }

    private static func keys(_ path: String) -> ArraySlice<String> { path.split(separator: ".").map(String.init)[...] }

    private mutating func set(_ value: JSON?, at path: ArraySlice<String>) {
        guard let key = path.first else { return }
        guard path.count > 1 else {
            self[key] = value
            return
        }
        var inner = self[key]?.object ?? JSONObject([])
        inner.set(value, at: path.dropFirst())
        self[key] = .object(inner)
    }
}
