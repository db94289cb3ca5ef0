// SPDX-License-Identifier: Apache-2.0

/// The life of one response between the person and the app: a value that decides and does nothing.
///
/// Instants are those of one clock of the caller's. `apply` is the one place that leads from a state to the next.
/// Source: center.md §7, "Response".
package struct ResponseLife: Sendable, Equatable {
    /// The deadlines of responses.
    package struct Terms: Sendable, Equatable {
        /// Deliveries of a response to its app.
        package var triesAtMost = 3
        /// The time that an app has for its handler.
        package var completion = Duration.seconds(30)
        /// The time for which a response waits for its app.
        package var age = Duration.seconds(7 * 24 * 60 * 60)

        package init() {}
    }

    package enum State: Sendable, Equatable {
        case stored
        case sent(at: Duration)
        /// The app's handler ended; the row is deleted.
        case completed
        /// Given up after too many tries, or too long a wait; the row is deleted.
        case expired
    }

    package enum Event: Sendable, Equatable {
        case sent
        /// The app's connection was lost, or its stream of a handler ended before `completed`.
        case lost
        case completed
        /// Nothing but the time.
        case timePassed
    }

    package enum Action: Sendable, Equatable {
        /// The event changes nothing.
        case none
        /// The state is written down.
        case keep
        /// The row is deleted.
        case delete
        /// The row is deleted, a line is logged, and watchers are told.
        case expire
    }

    package private(set) var state = State.stored
    /// Deliveries that ended without a completion.
    package private(set) var tries: Int
    package let stored: Duration
    private let terms: Terms

    package init(stored: Duration, tries: Int = 0, terms: Terms = Terms()) {
        self.stored = stored
        self.tries = max(0, tries)
        self.terms = terms
    }

    /// The instant at which `timePassed` has an effect; `nil` means never.
    package var deadline: Duration? {
        switch state {
        case .stored: stored + terms.age
        case .sent(let instant): instant + terms.completion
        case .completed, .expired: nil
        }
    }

    package mutating func apply(_ event: Event, at now: Duration) -> Action {
        switch (state, event) {
        case (.stored, .sent):
            guard now < stored + terms.age else { return expire() }
            state = .sent(at: now)
            return .keep
        // A completion may cross the end of its time, and is one all the same.
        case (.stored, .completed), (.sent, .completed):
            state = .completed
            return .delete
        case (.sent, .lost):
            return fail(at: now)
        case (.sent(let instant), .timePassed):
            return now >= instant + terms.completion ? fail(at: now) : .none
        case (.stored, .timePassed):
            return now >= stored + terms.age ? expire() : .none
        case (.stored, .lost), (.sent, .sent), (.completed, _), (.expired, _):
            return .none
        }
    }

    private mutating func fail(at now: Duration) -> Action {
        tries += 1
        guard tries < terms.triesAtMost, now < stored + terms.age else { return expire() }
        state = .stored
        return .keep
    }

    private mutating func expire() -> Action {
        state = .expired
        return .expire
    }
}
