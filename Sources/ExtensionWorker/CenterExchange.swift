// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Dispatch
import Locking
import UserNotifications

/// The calls of a worker to its app's notification centre that wait for their answers.
///
/// Ids rise in the order in which the packets leave, from whatever threads they come.
final class CenterExchange: Sendable {
    typealias Completion = @Sendable (CenterConnection.Outcome) -> Void

    private let turn = DispatchSemaphore(value: 1)
    private let open = Locked<[UInt64: Completion]>([:])

    /// Makes a call when it is this thread's turn: `id` opens it, and is `nil` while as many wait as may; `send` sends
    /// the packet.
    func call(_ completion: @escaping Completion, id: () -> UInt64?, send: (UInt64) -> Bool) {
        turn.wait()
        defer { turn.signal() }
        guard let id = id() else { return completion(.answer(.failed(.notAllowed))) }
        // Before the answer can come.
        open.withLock { $0[id] = completion }
        guard !send(id) else { return }
        open.withLock { $0.removeValue(forKey: id) }?(.lost)
    }

    /// The host's answer to a call.
    func receive(_ answer: CallAnswer, to id: UInt64) {
        open.withLock { $0.removeValue(forKey: id) }?(.answer(answer))
    }
}

extension WorkerSession: CenterCarrier {
    /// Names the files in the scratch folder, out of which the host takes them; those of a request that is not added
    /// are put back.
    func call(
        _ call: CenterCall,
        files: OutgoingFiles,
        _ completion: @escaping CenterExchange.Completion
    ) {
        guard !files.isEmpty else { return self.call(call, completion) }
        guard case .add(var request) = call, let scratch else { return completion(.answer(.failed(.attachmentURL))) }
        guard let handed = HandedFiles(files, scratch) else {
            return completion(.answer(.failed(.attachmentNotMoved)))
        }
        handed.name(in: &request)
        self.call(.add(request)) { outcome in
            if outcome != .answer(.done) { handed.putBack() }
            completion(outcome)
        }
    }

    /// Does nothing: nobody looks at an extension, and its delegate hears nothing.
    func announce(_ presence: Presence) {}
}
