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
    /// `extension-host view` that say how it is shown, such as `["--dark", "--width", "300"]`.
    ///
    /// Throws `PayloadProblem` when the text is no payload, `BundleProblem` for an option whose part the test has, such
    /// as `--tap`, and when no view is opened, with what `extension-host` said. Throws `CancellationError` when the
    /// task is cancelled meanwhile, and the view is closed then.
    public func show(_ payload: String) async throws -> ShownView {
        try refuse(Self.takenByShow, of: "show(_:)")
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
            throw BundleProblem(description: words.isEmpty ? "\(host) ended without a scene" : words)
        }
        return ShownView(state, view)
    }

    /// The options whose part the test itself has, each with what a test does in its place.
    private static let takenByShow = [
        "--tap": "call tap(_:) on the view that it returns",
        "--set": "call set(_:_:) on the view that it returns",
        "--respond": "call respond(_:text:) on the view that it returns",
        "--steps": "call the functions of the view that it returns",
        "--expect": "expect it of the view that it returns",
        "--scene": "take it from the scene of the view that it returns",
        "--format": "take what is seen from the view that it returns",
        "--junit": "take the report of the test run, or call extension-host view",
        "--watch": "build the bundle before the test, or call extension-host view",
    ]
}
