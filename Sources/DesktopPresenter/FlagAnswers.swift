// SPDX-License-Identifier: Apache-2.0

/// The answers of programs that each say yes or no, and what is told of them together.
package struct FlagAnswers: Sendable {
    private var answers: [Bool]
    private var unanswered: Set<Int>
    private var told: Bool?

    /// Takes the count of the programs, and the answer of one that has not answered yet.
    package init(count: Int, beforehand: Bool) {
        answers = Array(repeating: beforehand, count: count)
        unanswered = Set(answers.indices)
    }

    /// Takes the answer of the program at a place.
    package mutating func take(_ answer: Bool, of place: Int) {
        answers[place] = answer
        unanswered.remove(place)
    }

    /// Takes that nobody waits for the first answer of the silent ones any more.
    package mutating func takeSilence() { unanswered = [] }

    /// Returns whether one of them says yes, if that is to be told now; `nil` means that there is nothing to tell.
    ///
    /// A first no waits for all of them. One that ends a yes does not, so that a silent program holds nobody up.
    package mutating func news() -> Bool? {
        let isOn = answers.contains(true)
        guard isOn != told, isOn || told == true || unanswered.isEmpty else { return nil }
        told = isOn
        return isOn
    }
}
