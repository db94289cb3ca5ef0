// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
package import Keychain
import NotificationPayload
package import SceneModel

/// The host's side of a conversation with the process of one view: which message is allowed now, and what it means.
///
/// A pure value; it does no I/O and knows no time. It keeps the scene, because an update can only be judged against
/// what came before. Every message of a worker is hostile: after a `Violation` the process is killed and nothing more
/// is taken from it.
package struct ViewConversation: ~Copyable {
    private enum Phase {
        case starting
        case ready
        case open
        case ended
    }

    /// The id of the view; a process has one.
    package static let viewID: UInt64 = 1

    private var phase = Phase.starting
    /// The `seq` of the last event that was sent.
    private var lastSeq: UInt64 = 0
    private var assembly = SceneAssembly()
    /// The scene as all updates so far have made it.
    package private(set) var scene = SceneTree()
    /// The responses to which the view has not answered.
    private var openResponses: Set<UInt64> = []
    private var questions = WorkerQuestions()

    package init() {}

    package typealias Violation = WorkerConversation.Violation

    package enum Event: Equatable {
        case becameReady
        /// The update is whole and stands in `scene`; of its options those are left that answer a response.
        case scene(SceneUpdate)
        /// A piece of an update: nothing to do before the last one.
        case piece
        case log(WorkerMessage.Log)
        /// Answer it, then say so with `answerKeychain()`.
        case keychain(KeychainCall)
        /// Answer it, then say so with `answer(id:)`.
        case call(id: UInt64, CenterCall)
    }

    package var isReady: Bool {
        switch phase {
        case .ready, .open: true
        case .starting, .ended: false
        }
    }

    /// Opens the view and returns the message to be sent; `nil` before `ready`, and the second time.
    package mutating func open(_ opening: ViewOpening) -> HostMessage? {
        guard case .ready = phase else { return nil }
        phase = .open
        return .view(id: Self.viewID, opening)
    }

    /// Takes an event for the view and returns the message to be sent; `nil` when no view is open.
    package mutating func send(_ word: ViewWord) -> HostMessage? {
        guard case .open = phase else { return nil }
        lastSeq += 1
        if case .event(.response(let response)) = word { openResponses.insert(response.number) }
        return .viewEvent(id: Self.viewID, seq: lastSeq, word)
    }

    /// The number of the event that was sent last.
    package var lastEvent: UInt64 { lastSeq }

    /// Nobody waits for the view's word on a response any more; a later one is ignored.
    ///
    /// True if none had come.
    package mutating func giveUp(response number: UInt64) -> Bool { openResponses.remove(number) != nil }

    /// The answer goes out; the worker may ask again.
    package mutating func answerKeychain() { questions.answerKeychain() }

    /// The answer to a call goes out; false if the worker does not wait for one under the id.
    package mutating func answer(id: UInt64) -> Bool { questions.answer(id: id) }

    /// Judges one packet of the worker.
    package mutating func receive(_ bytes: Span<UInt8>) throws(Violation) -> Event {
        do {
            return try event(for: try WorkerMessage(packet: bytes))
        } catch {
            phase = .ended
            throw error
        }
    }

    private mutating func event(for message: WorkerMessage) throws(Violation) -> Event {
        switch (phase, message) {
        case (.starting, .ready):
            phase = .ready
            return .becameReady
        case (.open, .viewScene(let id, let update)):
            guard id == Self.viewID else { throw .unknownID(id) }
            return try take(update)
        case (.ready, .log(let log)), (.open, .log(let log)): return .log(log)
        case (.ready, .keychain(let call)), (.open, .keychain(let call)):
            try questions.askKeychain()
            return .keychain(call)
        case (.ready, .call(let id, let call)), (.open, .call(let id, let call)):
            try questions.call(id, call.name)
            return .call(id: id, call)
        case (_, .ready): throw .wrongPhase(.ready)
        case (_, .content): throw .wrongPhase(.content)
        case (_, .returned): throw .wrongPhase(.returned)
        case (_, .log): throw .wrongPhase(.log)
        case (_, .keychain): throw .wrongPhase(.keychain)
        case (_, .call): throw .wrongPhase(.call)
        case (_, .viewScene): throw .wrongPhase(.viewScene)
        }
    }

    private mutating func take(_ piece: SceneUpdate) throws(Violation) -> Event {
        do throws(SceneFault) {
            if let seq = piece.acknowledged, seq > lastSeq { throw .unknownEvent(seq) }
            guard var update = try assembly.take(piece) else { return .piece }
            try scene.apply(update)
            update.calls = update.calls.filter { call in
                guard case .option(_, let number) = call else { return true }
                // A second word on one response is ignored, and so is one on a response that was never given.
                return openResponses.remove(number) != nil
            }
            return .scene(update)
        } catch {
            throw .scene(error)
        }
    }
}
