// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload

extension BundleTest {
    /// Opens the bundle's view for a notification, the JSON of an APNs payload, in its sandbox: `extension-host view`
    /// for a test's steps and expectations.
    ///
    /// ```swift
    /// let view = try await BundleTest("Photo.appex").show(#"{"aps": {"alert": "Hi", "category": "photo"}}"#)
    /// try await view.tap("Launch app")
    /// #expect(view.calls == ["defaultAction"])
    /// ```
    /// The view has its first scene then, or has ended. The options of the test are further ones of
    /// `extension-host view`, such as `["--dark", "--width", "300"]`.
    ///
    /// Throws `PayloadProblem` when the text is no payload, `BundleProblem` when no view is opened, with what
    /// `extension-host` said.
    public func show(_ payload: String) async throws -> ShownView {
        let payload = try PayloadProblem.parse(payload)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        try Data(payload.serialized).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let state = ViewState()
        let view = try BundleView(
            [host, "view", bundle, file.path, "--format", "json", "--steps", "-"] + options,
            state
        )
        try await state.wait { $0.step != nil || $0.isOver }
        guard state.current.step != nil else {
            let words = view.words
            throw BundleProblem(description: words.isEmpty ? "\(host) cannot be started" : words)
        }
        return ShownView(state, view)
    }
}
