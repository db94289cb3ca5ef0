// SPDX-License-Identifier: Apache-2.0

/// The members of a JSON object, in order, each key once.
///
/// A payload has a handful of keys, so members are searched in a line; the reader, which meets hostile input, finds
/// duplicates with a set once an object grows.
package struct JSONObject: Sendable {
    package struct Member: Sendable {
        package let key: String
        package var value: JSON
    }

    package private(set) var members: [Member]

    package init() {
        members = []
    }

    /// The last of two equal keys wins.
    package init(_ pairs: [(String, JSON)]) {
        members = []
        for (key, value) in pairs {
            self[key] = value
        }
    }

    /// Takes members whose keys are already known to differ.
    init(unique members: [Member]) {
        self.members = members
    }

    package var isEmpty: Bool { members.isEmpty }
    package var count: Int { members.count }

    /// Assigning nil removes the member; a new key goes to the end.
    package subscript(key: String) -> JSON? {
        get {
            members.first { $0.key == key }?.value
        }
        set {
            let index = members.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }
}

extension JSONObject: Equatable {
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.members.allSatisfy { right[$0.key] == $0.value }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self.init(elements)
    }
}

extension JSONObject {
    /// Reads one JSON object; any other JSON text is `notAnObject`.
    package init(parsing bytes: Span<UInt8>, depthLimit: Int = Payload.depthLimit) throws(JSONError) {
        guard case .object(let object) = try JSON(parsing: bytes, depthLimit: depthLimit) else { throw .notAnObject }
        self = object
    }

    package func write(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        let members = members.span
        for index in members.indices {
            JSON.write(key: members[index].key, isFirst: index == 0, to: &bytes)
            members[index].value.write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// The object as compact UTF-8.
    package var serialized: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2048)
        write(to: &bytes)
        return bytes
    }
}
