// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import SceneModel
import WorkerProtocol

/// The life of one view, from its opening to its end: which step follows from what happens.
///
/// A pure value: it sends nothing, and knows time from its arguments alone. The end is told once, whatever happens
/// behind it.
struct ViewLife {
    private enum Phase {
        /// The process is not ready.
        case starting(ViewOpening)
        /// The view was opened and has no scene.
        case waiting
        case live
        /// The process is asked to end, or killed, for this reason.
        case ending(ViewEnd)
    }

    /// A step that the owner of the process takes.
    enum Step: Equatable {
        case nothing
        /// The process is ready: it gets its view.
        case open(ViewOpening)
        /// The update is for whoever opened the view.
        case show(SceneUpdate)
        /// The end is told, and the process asked to end.
        case dismiss(ViewEnd)
        /// The end is told, and the process killed.
        case kill(ViewEnd)
        /// The end is told; the process is gone.
        case tell(ViewEnd)
    }

    private var phase: Phase
    /// The files of the notification that the view opens with, as long as nobody has taken them.
    private var files: [ViewAttachment]
    /// True while files that were taken are to be given.
    private var awaitsFiles = false
    /// The instant of the last event, or of the opening.
    private(set) var stirred: Duration
    /// The instant of the last act of a person; `nil` before the first.
    private var touched: Duration?
    /// The instant since which an act of a person waits to be acknowledged; `nil` means that none does.
    private(set) var unanswered: Duration?

    init(_ opening: ViewOpening, _ files: [ViewAttachment] = [], now: Duration) {
        phase = .starting(opening)
        self.files = files
        stirred = now
    }

    /// True until the end was told.
    var isOpen: Bool {
        if case .ending = phase { false } else { true }
    }

    /// True while the view takes events.
    var takesEvents: Bool {
        switch phase {
        case .waiting, .live: true
        case .starting, .ending: false
        }
    }

    /// Takes a newer notification and another place into what the view opens with; nothing else reaches it before.
    mutating func amend(_ word: ViewWord, _ files: [ViewAttachment] = []) {
        guard case .starting(var opening) = phase else { return }
        switch word {
        case .notification(let notification):
            opening.notification = notification
            self.files = files
            awaitsFiles = false
        case .event(.environment(let environment)): opening.environment = environment
        case .event: return
        }
        phase = .starting(opening)
    }

    /// Takes out the files that are to be put into the folder before the view opens.
    mutating func takeFiles() -> [ViewAttachment] {
        awaitsFiles = !files.isEmpty
        defer { files = [] }
        return files
    }

    /// The files that were taken out are in the folder, unless they are of a notification that another has replaced.
    mutating func give(_ attachments: [ScratchAttachment]) {
        guard case .starting(var opening) = phase, awaitsFiles else { return }
        awaitsFiles = false
        opening.notification.attachments = attachments
        phase = .starting(opening)
    }

    /// The process is ready, and the launcher has said what confines it.
    mutating func entersService() -> Step {
        guard case .starting(let opening) = phase else { return .nothing }
        phase = .waiting
        return .open(opening)
    }

    /// An update that fits the scene, which may still be empty; a default action of it stays only within 5 s of an act
    /// of a person.
    ///
    /// `lastEvent` is the number of the last event that the view was told.
    mutating func said(
        _ update: SceneUpdate,
        isEmpty: Bool = false,
        lastEvent: UInt64 = 0,
        now: Duration
    ) -> [Step] {
        guard isOpen else { return [] }
        if !isEmpty { phase = .live }
        if let acknowledged = update.acknowledged { unanswered = acknowledged < lastEvent ? now : nil }
        var update = update
        let mayAct = touched.map { now - $0 <= ViewRules.defaultAction } ?? false
        if !mayAct { update.calls.removeAll { $0 == .defaultAction } }
        guard update.calls.contains(where: \.closesView) else { return [.show(update)] }
        phase = .ending(.dismissed)
        return [.show(update), .dismiss(.dismissed)]
    }

    /// An event goes to the view; `isAct` says that a person did it.
    mutating func stir(isAct: Bool, now: Duration) {
        stirred = now
        guard isAct else { return }
        touched = now
        unanswered = unanswered ?? now
    }

    /// The time for the first scene is over.
    mutating func firstSceneIsDue() -> Step {
        switch phase {
        case .starting, .waiting: kill(.slow)
        case .live, .ending: .nothing
        }
    }

    /// Whoever opened the view closes it.
    mutating func close(_ reason: ViewEnd = .closed) -> Step {
        switch phase {
        case .starting: return kill(reason)
        case .waiting, .live:
            phase = .ending(reason)
            return .dismiss(reason)
        case .ending: return .nothing
        }
    }

    /// The process may live no longer.
    mutating func kill(_ reason: ViewEnd) -> Step {
        guard isOpen else { return .nothing }
        var reason = reason
        if case .starting = phase, reason == .gone { reason = .notStarted }
        phase = .ending(reason)
        return .kill(reason)
    }

    /// The process is gone by itself; before it was ready it never started.
    mutating func ended(_ cause: ViewEnd) -> Step {
        guard isOpen else { return .nothing }
        let reason: ViewEnd
        if case .starting = phase { reason = .notStarted } else { reason = cause }
        phase = .ending(reason)
        return .tell(reason)
    }
}
