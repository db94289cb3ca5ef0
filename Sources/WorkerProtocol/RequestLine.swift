// SPDX-License-Identifier: Apache-2.0

/// The requests that one worker has, in the order in which they were sent to it.
///
/// The first `lanes` of them are begun; the others lie in the worker's hands until one of those leaves the line. Both
/// ends of a conversation keep a line, and every content and every returned request takes the same place out of both,
/// so that the ends agree on what is begun without a message about it.
struct RequestLine {
    private struct Place {
        let id: UInt64
        var isBegun: Bool
        /// The request is over for the end that keeps this line, and has not left the hands of the worker.
        var isClosed = false
        var isWarned = false
        var isRecalled = false
    }

    /// A request that leaves the line, and whether it was closed or had its last call before.
    struct Departure: Equatable {
        let wasClosed: Bool
        let wasWarned: Bool
    }

    /// Requests that the worker works on at once.
    let lanes: Int
    private var places: [Place] = []

    init(lanes: Int) {
        self.lanes = max(1, lanes)
    }

    var openCount: Int { places.count { !$0.isClosed } }
    /// The next request is begun at once.
    var hasFreeLane: Bool { places.count < lanes }

    /// The requests that are not closed, in their order.
    var openIDs: [UInt64] { places.lazy.filter { !$0.isClosed }.map(\.id) }

    /// The requests behind those that are begun, without closed ones, in their order.
    var waitingIDs: [UInt64] { places.lazy.filter { !$0.isClosed && !$0.isBegun }.map(\.id) }

    func isOpen(_ id: UInt64) -> Bool { place(of: id).map { !places[$0].isClosed } ?? false }

    /// Tells whether the worker may have begun the request: it stands in one of the lanes.
    func isInLane(_ id: UInt64) -> Bool { place(of: id).map { $0 < lanes } ?? false }

    /// Tells whether the turn of the request has come for an end that knows the closed ones before it to be done.
    func isDue(_ id: UInt64) -> Bool {
        guard let index = place(of: id) else { return false }
        return places[..<index].count { !$0.isClosed } < lanes
    }

    func isWarned(_ id: UInt64) -> Bool { place(of: id).map { places[$0].isWarned } ?? false }

    func isRecalled(_ id: UInt64) -> Bool { place(of: id).map { places[$0].isRecalled } ?? false }

    /// Appends a request, whose id is above all before it; true when it is begun at once.
    mutating func append(_ id: UInt64) -> Bool {
        let isBegun = hasFreeLane
        places.append(Place(id: id, isBegun: isBegun))
        return isBegun
    }

    /// Returns the next request that stands in a lane and was not begun, and notes it as begun.
    ///
    /// Closed ones keep their lanes, and nobody is told of their begin.
    mutating func beginNext() -> UInt64? {
        for index in places.indices.prefix(lanes) where !places[index].isBegun && !places[index].isClosed {
            places[index].isBegun = true
            return places[index].id
        }
        return nil
    }

    /// True once for each request that is begun and open: its last call may be made.
    mutating func warn(_ id: UInt64) -> Bool {
        guard let index = place(of: id), places[index].isBegun, !places[index].isClosed, !places[index].isWarned else {
            return false
        }
        places[index].isWarned = true
        return true
    }

    /// True once for each request that waits behind others and is open: it may be asked back.
    mutating func recall(_ id: UInt64) -> Bool {
        guard let index = place(of: id), !places[index].isBegun, !places[index].isClosed, !places[index].isRecalled
        else { return false }
        places[index].isRecalled = true
        return true
    }

    /// Closes a request before the worker's word on it has come or gone; it keeps its place until then.
    mutating func close(_ id: UInt64) {
        guard let index = place(of: id) else { return }
        places[index].isClosed = true
        places[index].isWarned = false
    }

    /// Takes a request out of the line; `nil` means that it is not there.
    mutating func remove(_ id: UInt64) -> Departure? {
        guard let index = place(of: id) else { return nil }
        let place = places.remove(at: index)
        return Departure(wasClosed: place.isClosed, wasWarned: place.isWarned)
    }

    private func place(of id: UInt64) -> Int? { places.firstIndex { $0.id == id } }
}
