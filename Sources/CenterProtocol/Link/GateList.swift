// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// An app of an owner, for which alerts are switched off or on.
package struct Gate: Sendable, Hashable {
    package var owner: String
    package var topic: String

    package init(owner: String, topic: String) {
        self.owner = owner
        self.topic = topic
    }
}

/// The apps for which no service extension runs, because their alerts are off: all of them, or what has changed.
package struct GateList: Sendable, Equatable {
    /// Gates in one packet.
    package static let pieceLimit = 512
    /// Gates of one list, all pieces together.
    package static let limit = 1_000_000

    /// True if every gate that is not named is open; false if the list names changes.
    package var isWhole: Bool
    /// The extension does not run.
    package var shut: [Gate]
    /// The extension runs again; empty in a whole list.
    package var open: [Gate]

    package init(isWhole: Bool, shut: [Gate] = [], open: [Gate] = []) {
        self.isWhole = isWhole
        self.shut = shut
        self.open = open
    }

    var count: Int { shut.count + open.count }
}

extension Gate {
    var json: JSON { ["owner": .string(owner), "topic": .string(topic)] }

    init(_ members: inout Members) throws(MemberFault) {
        owner = try members.owner()
        topic = try members.topic()
    }
}

extension GateList {
    var body: JSONObject {
        var body: JSONObject = ["whole": .bool(isWhole), "shut": .array(shut.map(\.json))]
        if !isWhole { body["open"] = .array(open.map(\.json)) }
        return body
    }

    init(_ members: inout Members) throws(MemberFault) {
        isWhole = try members.flag("whole")
        shut = try members.elements("shut", atMost: Self.pieceLimit, Gate.init)
        open = []
        if !isWhole { open = try members.elements("open", atMost: Self.pieceLimit, Gate.init) }
    }
}
