// SPDX-License-Identifier: Apache-2.0

package import SceneModel

/// The requests of a view beside its nodes, kept until the next update of the scene.
///
/// A request made between two events orders an update by itself.
@MainActor package final class ViewRequests {
    private let wakes: Wakes
    private var calls: [SceneCall] = []
    /// The title, buttons and size that were changed since the last update.
    private var changed = SceneUpdate()

    init(_ wakes: Wakes) {
        self.wakes = wakes
    }

    /// Orders an update, for a scene that may look otherwise; callable from any thread.
    package nonisolated func drawAnew() { wakes.wake(drawing: true) }

    /// Asks for an act of whoever shows the view; once is enough for one that is not told yet.
    package func call(_ call: SceneCall) {
        guard !calls.contains(call) else { return }
        calls.append(call)
        wakes.wake(drawing: false)
    }

    /// Changes what stands beside the box: its title, buttons, size or the button that plays.
    package func change(_ change: (inout SceneUpdate) -> Void) {
        change(&changed)
        wakes.wake(drawing: false)
    }

    /// Puts the requests beside the nodes of an update; what becomes of responses may wait for a later one.
    func ask(in update: inout SceneUpdate, holdingOptions: Bool) {
        update.takeBeside(changed)
        changed = SceneUpdate()
        let held = holdingOptions ? calls.filter(\.isOption) : []
        let ready = holdingOptions ? calls.filter { !$0.isOption } : calls
        let count = min(ready.count, SceneLimits.callCount)
        update.calls += ready.prefix(count)
        calls = ready.dropFirst(count) + held
        // The steps for which an answer waits order their updates by themselves.
        if count < ready.count { wakes.wake(drawing: false) }
    }
}

extension SceneCall {
    /// True for the answer to a response.
    fileprivate var isOption: Bool { if case .option = self { true } else { false } }
}
