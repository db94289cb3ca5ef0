// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
package import NotificationPayload

/// A worker's word on its view in one packet: nodes that changed, nodes that went, and requests.
///
/// Source: PROTOCOL.md, "Scenes".
package struct SceneUpdate: Sendable, Equatable {
    /// The `seq` of the last event that the scene has taken in; `nil` means that no event led to it.
    package var acknowledged: UInt64?
    /// Nodes that are new or changed, each whole and each at most once.
    package var set: [SceneNode]
    /// Nodes that go with all that hangs below them once `set` has been taken.
    package var gone: [UInt32]
    /// The size that the view wants for its box; the width is advice.
    package var size: SceneSize?
    /// The line above the box; an empty one gives the page's own back.
    package var title: String?
    /// The buttons below the box in the place of the category's; `nil` leaves them as they are.
    package var actions: [CategoryAction]?
    /// The button that plays and pauses; `nil` leaves it as it is.
    package var mediaButton: SceneMediaButton?
    /// Files that nodes may name.
    package var files: [SceneFile]
    package var calls: [SceneCall]
    /// The way in which the page moves to the new scene; `nil` means at once.
    package var motion: SceneMotion?
    /// True if the rest of this update comes in the next packet.
    package var hasMore: Bool

    package init(
        acknowledged: UInt64? = nil,
        set: [SceneNode] = [],
        gone: [UInt32] = [],
        size: SceneSize? = nil,
        title: String? = nil,
        actions: [CategoryAction]? = nil,
        mediaButton: SceneMediaButton? = nil,
        files: [SceneFile] = [],
        calls: [SceneCall] = [],
        motion: SceneMotion? = nil,
        hasMore: Bool = false
    ) {
        self.acknowledged = acknowledged
        self.set = set
        self.gone = gone
        self.size = size
        self.title = title
        self.actions = actions
        self.mediaButton = mediaButton
        self.files = files
        self.calls = calls
        self.motion = motion
        self.hasMore = hasMore
    }
}

extension SceneUpdate {
    package var body: JSONObject {
        var object: JSONObject = [:]
        object["ack"] = acknowledged.map { .integer(Int64(clamping: $0)) }
        object["size"] = size?.json
        object["title"] = title.map(JSON.string)
        object["actions"] = actions.map { .array($0.map(\.json)) }
        object["mediaButton"] = mediaButton?.json
        object["motion"] = motion?.json
        if !files.isEmpty { object["files"] = .array(files.map(\.json)) }
        if !set.isEmpty { object["set"] = .array(set.map(\.json)) }
        if !gone.isEmpty { object["gone"] = .array(gone.map { .integer(Int64($0)) }) }
        if !calls.isEmpty { object["calls"] = .array(calls.map(\.json)) }
        if hasMore { object["more"] = true }
        return object
    }

    /// Reads an update strictly: a member that it does not have is a fault, at every level.
    package init(_ body: JSONObject) throws(MemberFault) {
        var members = Members(body, .strict)
        self.init(
            acknowledged: try members.optionalInteger("ack", 0...Int64.max).map(UInt64.init),
            set: try members.optionalElements("set", atMost: SceneLimits.nodeCount, SceneNode.init) ?? [],
            gone: try Self.gone(&members),
            size: try members.optionalSize("size"),
            title: try Self.title(&members),
            actions: try Self.actions(&members),
            mediaButton: try SceneMediaButton.optional(&members),
            files: try members.optionalElements("files", atMost: SceneLimits.fileCount, SceneFile.init) ?? [],
            calls: try members.optionalElements("calls", atMost: SceneLimits.callCount, SceneCall.init) ?? [],
            motion: try SceneMotion.optional(&members),
            hasMore: try members.optionalFlag("more") ?? false
        )
        try members.end()
        try judge()
    }

    /// Holds the lists against their bounds, which those of joined pieces may break.
    func judge() throws(MemberFault) {
        guard set.count <= SceneLimits.nodeCount else { throw .tooMany("set", count: set.count) }
        guard gone.count <= SceneLimits.nodeCount else { throw .tooMany("gone", count: gone.count) }
        guard files.count <= SceneLimits.fileCount else { throw .tooMany("files", count: files.count) }
        guard calls.count <= SceneLimits.callCount else { throw .tooMany("calls", count: calls.count) }
        guard Set(set.map(\.id)).count == set.count else { throw .repeated("set.id") }
    }

    /// Takes the buttons; those beyond ten are cut, and so are long titles.
    private static func actions(_ members: inout Members) throws(MemberFault) -> [CategoryAction]? {
        let read = try members.optionalElements("actions", atMost: SceneLimits.nodeCount, CategoryAction.init)
        guard let actions = read.map(cut) else { return nil }
        let count = byteCount(of: actions)
        guard count <= SceneLimits.actionByteCount else { throw .tooLong("actions", byteCount: count) }
        return actions
    }

    /// Returns the buttons that a host takes, cut as it cuts them: without those that it cannot read, and only as many
    /// as have room.
    package static func readable(_ actions: [CategoryAction]) -> [CategoryAction] {
        var taken = cut(
            actions.filter { action in
                var members = Members(["actions": [action.json]], .strict)
                return (try? Self.actions(&members)) != nil
            }
        )
        while byteCount(of: taken) > SceneLimits.actionByteCount { taken.removeLast() }
        return taken
    }

    private static func cut(_ actions: [CategoryAction]) -> [CategoryAction] {
        actions.prefix(SceneLimits.actionCount).map { action in
            var action = action
            action.title = action.title.asSceneTitle
            return action
        }
    }

    private static func byteCount(of actions: [CategoryAction]) -> Int {
        var bytes: [UInt8] = []
        JSON.array(actions.map(\.json)).write(to: &bytes)
        return bytes.count
    }

    private static func gone(_ members: inout Members) throws(MemberFault) -> [UInt32] {
        guard let list = try members.optionalList("gone", atMost: SceneLimits.nodeCount) else { return [] }
        return try list.map { value throws(MemberFault) in
            guard let id = value.integer.flatMap(UInt32.init(exactly:)), id > 0 else { throw .wrongKind("gone") }
            return id
        }
    }

    private static func title(_ members: inout Members) throws(MemberFault) -> String? {
        try members.optionalSceneText("title").map(\.asSceneTitle)
    }
}

/// A file in the worker's scratch folder that nodes name by its number.
package struct SceneFile: Sendable, Equatable {
    /// The numbers that files have.
    package static let numbers = LinkViewFile.numbers
    /// The beginning of the paths of files that the host has put into the scratch folder, and shows without a copy.
    package static let givenPrefix = "tmp/shown-"

    /// A number above those of all files before it, so that it means one content for ever.
    package var number: UInt32
    /// Relative to the scratch folder.
    package var path: String

    package init(number: UInt32, path: String) {
        self.number = number
        self.path = path
    }

    var json: JSON { ["file": .integer(Int64(number)), "path": .string(path)] }

    init(_ members: inout Members) throws(MemberFault) {
        self.init(
            number: UInt32(try members.integer("file", Self.numbers)),
            path: try members.text("path", CenterNames.scratchPathByteCounts)
        )
    }
}
