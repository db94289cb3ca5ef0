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

extension WorkerSupervisor {
    /// The processes of views that a host has at once.
    package static var viewLimit: Int { ViewRules.views }
}

/// The limits on views and on each of them.
enum ViewRules {
    /// Open views of one owner's app, of which the oldest is closed for a new one.
    static let viewsOfSite = 4
    /// Open views of the host, of which one more is refused, and processes of views, for which others wait.
    static let views = 32
    /// Orders of views at the launcher at once.
    ///
    /// Few, because its socket holds some 13 packets of an order's length, and workers are ordered through it as well.
    static let orders = 2
    /// The longest time from the opening to the first scene.
    static let firstScene = Duration.seconds(5)
    /// The longest time until an act of a person is acknowledged.
    static let answer = Duration.seconds(10)
    /// The longest time for a view's word on a response.
    static let response = Duration.seconds(5)
    /// The longest time without an event.
    static let idle = Duration.seconds(15 * 60)
    /// The longest time from a person's event to a default action of the view.
    static let defaultAction = Duration.seconds(5)
    /// The time that a process has to end by itself.
    static let farewell = Duration.seconds(2)
    /// The time that a process has to end once it closed its socket.
    static let silence = Duration.milliseconds(500)
    /// The interval between looks at the processes of views.
    static let look = Duration.milliseconds(250)
    /// The longest processor time of a view.
    static let processorTime = Duration.seconds(10)
    /// The span without an event over which a view may compute half of the time.
    static let quietSpan = Duration.seconds(10)
    /// Events to a view that wait because it has not read those before them; one more ends the view.
    static let unreadEvents = 256
}
