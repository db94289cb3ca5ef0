// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
package import HostRuntime
import Locking

/// The calls of workers to the notification centres of a host.
///
/// A call goes to the centre that has the app's notifications; of several it is the first in the host's configuration.
/// A centre that is away, or has as much open as it may, has the call fail with `notAllowed` at once.
package final class WorkerCalls: Sendable {
    /// Calls of one app that may have a place on the link, so that an app which calls without end leaves room for the
    /// others.
    private static let appLimit = 64

    private struct Center {
        let name: String
        let topics: Set<String>
        var connection: CenterConnection?
    }

    private struct State {
        var centers: [Center] = []
        var openCounts: [String: Int] = [:]
    }

    private let state = Locked(State())

    package init() {}

    /// Adds a centre that has the notifications of these apps; it is not connected yet.
    func join(_ name: String, topics: Set<String>) {
        state.withLock { $0.centers.append(Center(name: name, topics: topics)) }
    }

    /// Has calls go over a new connection of the centre; a call over one that has ended fails.
    func connect(_ name: String, _ connection: CenterConnection) {
        state.withLock { state in
            guard let place = state.centers.firstIndex(where: { $0.name == name }) else { return }
            state.centers[place].connection = connection
        }
    }

    /// The calls of an app that have a place on the link.
    func openCount(of app: String) -> Int { state.withLock { $0.openCounts[app, default: 0] } }

    /// Hands a call of an owner's app on, with the files that its descriptors stand for; `answer` is called once.
    ///
    /// The files stay open until the centre has answered, so that whoever counts them counts those on the link.
    package func call(
        _ call: CenterCall,
        _ files: [HeldFile] = [],
        of owned: OwnedApp,
        answer: @escaping @Sendable (CallAnswer) -> Void
    ) {
        let app = owned.topic
        let connection = state.withLock { state -> CenterConnection? in
            guard let connection = state.centers.first(where: { $0.topics.contains(app) })?.connection,
                state.openCounts[app, default: 0] < Self.appLimit
            else { return nil }
            state.openCounts[app, default: 0] += 1
            return connection
        }
        guard let connection else { return answer(.failed(.notAllowed)) }
        connection.call(LinkCall(owner: owned.owner, topic: app, call: call), files, answer: answer) { [self] in
            withExtendedLifetime(files) {}
            state.withLock { state in
                let count = state.openCounts[app, default: 1] - 1
                state.openCounts[app] = count == 0 ? nil : count
            }
        }
    }
}
