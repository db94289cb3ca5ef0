// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import SceneModel
import WorkerProtocol
import WorkerSupervisor

/// The part of a host that the run of a view needs.
protocol ViewHosting: Sendable {
    var clock: HostClock { get }
    /// Runs while views are open.
    var deadlines: DeadlineQueue { get }

    /// Opens a view of the one extension, and returns its number; `nil` when the host is ending.
    func open(_ opening: ViewOpening, report: @escaping @Sendable (ViewReport) -> Void) async -> UInt64?

    /// Hands a word to a view, and returns its number; `nil` for a view that is no more.
    func send(_ word: ViewWord, to view: UInt64) async throws(EventFault) -> UInt64?

    /// Has a view end; harmless for one that is no more.
    func close(_ view: UInt64) async
}

/// The views of one app of a host, each with the same files.
struct SupervisedViews: ViewHosting {
    let host: HostComposition
    let topic: String
    let attachments: [ViewAttachment]

    var clock: HostClock { host.clock }
    var deadlines: DeadlineQueue { host.deadlines }

    func open(_ opening: ViewOpening, report: @escaping @Sendable (ViewReport) -> Void) async -> UInt64? {
        await host.supervisor.openView(opening, attachments, of: topic, report: report)
    }

    func send(_ word: ViewWord, to view: UInt64) async throws(EventFault) -> UInt64? {
        try await host.supervisor.send(word, toView: view)
    }

    func close(_ view: UInt64) async { await host.supervisor.closeView(view) }
}
