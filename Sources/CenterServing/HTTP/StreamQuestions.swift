// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Locking

/// The questions that apps hear over their streams of events and answer with requests of their own.
final class StreamQuestions: Sendable {
    enum Kind {
        case present(Question<PresentationOptions>)
        case silent(Question<FetchResult>)

        /// Ends the wait for an app that is gone.
        func giveUp() {
            switch self {
            case .present(let question): question.answer(nil)
            case .silent(let question): question.answer(nil)
            }
        }
    }

    private struct Entry {
        let key: InstallationKey
        let stream: Int
        let question: Kind
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var last = 0
    }

    private let state = Locked(State())

    /// Makes the number of a stream, which no question has.
    func makeStream() -> Int {
        state.withLock { state in
            state.last += 1
            return state.last
        }
    }

    /// Makes a question under a number that no other has; it is closed when it is answered or given up.
    func open<Answer: Sendable>(
        _ kind: (Question<Answer>) -> Kind,
        to key: InstallationKey,
        over stream: Int
    ) -> (number: Int, Question<Answer>) {
        state.withLock { state in
            state.last += 1
            let number = state.last
            let question = Question<Answer> { [weak self] in self?.close(number) }
            state.entries[number] = Entry(key: key, stream: stream, question: kind(question))
            return (number, question)
        }
    }

    func close(_ number: Int) { state.withLock { $0.entries[number] = nil } }

    /// Returns a question of an app; `nil` means that the app has none of the number.
    func question(_ number: Int, to key: InstallationKey) -> Kind? {
        state.withLock { state in state.entries[number].flatMap { $0.key == key ? $0.question : nil } }
    }

    /// A stream has ended: what was asked over it has no answer.
    func end(_ stream: Int) {
        let left = state.withLock { state in
            let left = state.entries.filter { $0.value.stream == stream }
            for number in left.keys { state.entries[number] = nil }
            return left.values.map(\.question)
        }
        for question in left { question.giveUp() }
    }
}
