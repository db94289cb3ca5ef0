// SPDX-License-Identifier: Apache-2.0

/// A push that a turn offers to the journal, and whom to tell.
struct ArrivalOffer: Sendable {
    /// Counts the batches of a turn; a push that waited for room is a batch of its own.
    let batch: Int
    let push: IncomingPush
    let place: Int
    let answer: @Sendable (Int, [Acceptance]) -> Void
    /// The instant at which a push that finds no room has waited long enough for it.
    let end: Duration
    /// The place in the waiting room of a push that waited; `nil` for a new arrival.
    var number: UInt64?

    /// Returns what a turn offers: first those that waited for room, then new arrivals, which may wait until `end`.
    static func all(_ woken: [WaitingArrival], _ batches: [ArrivalBatch], end: Duration) -> [ArrivalOffer] {
        var offers = woken.enumerated().map { index, waited in
            ArrivalOffer(
                batch: index,
                push: waited.push,
                place: waited.place,
                answer: waited.answer,
                end: waited.end,
                number: waited.number
            )
        }
        for (index, batch) in batches.enumerated() {
            let number = woken.count + index
            for (place, push) in batch.pushes.enumerated() {
                offers.append(ArrivalOffer(batch: number, push: push, place: place, answer: batch.answer, end: end))
            }
        }
        return offers
    }
}

/// Sends answers that lie beside each other in one batch in one call.
struct AnswerRun {
    private var first: ArrivalOffer?
    private var answers: [Acceptance] = []

    mutating func add(_ answer: Acceptance, for offer: ArrivalOffer) {
        if let first, first.batch != offer.batch || first.place + answers.count != offer.place { send() }
        if answers.isEmpty { first = offer }
        answers.append(answer)
    }

    mutating func send() {
        if let first, !answers.isEmpty { first.answer(first.place, answers) }
        answers.removeAll(keepingCapacity: true)
    }
}
