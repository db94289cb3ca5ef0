// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
package import SceneModel
import WorkerProtocol

/// A word on an open view to whoever opened it.
package enum ViewReport: Sendable, Equatable {
    /// The update fits what came before, and keeps every bound of a scene.
    case scene(SceneUpdate)
    /// A picture that nodes may name, and the numbers of those that are no more.
    case picture(ShownFile, gone: [UInt32])
    /// Nothing follows.
    case ended(ViewEnd)
}

extension ViewEnd {
    /// The cause under which the process of a view that ends so is killed.
    var killCause: SandboxedProcess.KillCause {
        switch self {
        case .slow, .notStarted: .start
        case .memoryLimitExceeded: .memory
        case .cpu: .hang
        case .protocolViolation: .violation
        case .closed, .dismissed, .idle, .crashed, .gone: .retired
        }
    }
}

extension ViewWord {
    /// True for what a person does, in contrast to what follows from it and what the page or the centre says by itself.
    var isAct: Bool {
        switch self {
        case .event(.node(_, let event)): event.name.isAct
        case .event(.response), .event(.media): true
        case .event(.environment), .event(.close), .notification: false
        }
    }
}

extension ViewWord {
    /// False for what a film says by itself while it plays, which neither a person nor a change of the scene has
    /// caused.
    var isStir: Bool {
        if case .event(.node(_, .time)) = self { false } else { true }
    }
}
