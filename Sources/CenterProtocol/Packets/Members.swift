// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// Takes the members out of an object, one after the other, each with its bound.
///
///     var members = Members(body, .strict)
///     let identifier = try members.text("identifier", 1...256)
///     try members.end()
package struct Members {
    /// The answer to a member that nobody asked for, and to `null`.
    package enum Policy: Sendable {
        /// An unknown member is a fault, and so is `null`: both ends of a socket speak one version.
        case strict
        /// An unknown member is ignored, and `null` counts as absent.
        case lenient
    }

    private let object: JSONObject
    private let path: String
    package let policy: Policy
    private var takenCount = 0

    /// `path` is the object's own place in the message, `""` for the message itself.
    package init(_ object: JSONObject, _ policy: Policy, path: String = "") {
        self.object = object
        self.policy = policy
        self.path = path
    }

    /// Ends the reading: what was not taken is unknown.
    package func end() throws(MemberFault) {
        guard policy == .lenient || takenCount == object.count else { throw .unknownMember(of: path) }
    }

    /// The path of a member of this object.
    package func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    // MARK: A member of any kind

    /// Takes a member; `nil` means that it is absent.
    package mutating func value(_ key: String) -> JSON? {
        guard let value = object[key] else { return nil }
        takenCount += 1
        // `nil` alone would be the value `null` here, which JSON takes as a literal.
        return value == .null && policy == .lenient ? JSON?.none : value
    }

    /// Takes a member and reads it; `nil` means that it is absent.
    private mutating func optional<Value>(_ key: String, _ read: (JSON) -> Value?) throws(MemberFault) -> Value? {
        guard let value = value(key) else { return nil }
        guard let read = read(value) else { throw .wrongKind(path(of: key)) }
        return read
    }

    private func required<Value>(_ key: String, _ value: Value?) throws(MemberFault) -> Value {
        guard let value else { throw .missing(path(of: key)) }
        return value
    }

    // MARK: Texts

    package mutating func optionalText(_ key: String, _ byteCounts: ClosedRange<Int>) throws(MemberFault) -> String? {
        guard let text = try optional(key, \.string) else { return nil }
        return try Self.bounded(text, byteCounts, path(of: key))
    }

    package mutating func text(_ key: String, _ byteCounts: ClosedRange<Int>) throws(MemberFault) -> String {
        try required(key, try optionalText(key, byteCounts))
    }

    /// Takes a list of texts; `nil` means that it is absent.
    package mutating func optionalTexts(
        _ key: String,
        _ byteCounts: ClosedRange<Int>,
        atMost limit: Int
    ) throws(MemberFault) -> [String]? {
        guard let list = try optionalList(key, atMost: limit) else { return nil }
        return try list.map { element throws(MemberFault) in
            guard let text = element.string else { throw .wrongKind(path(of: key)) }
            return try Self.bounded(text, byteCounts, path(of: key))
        }
    }

    /// Returns the text if its length is allowed.
    private static func bounded(
        _ text: String,
        _ byteCounts: ClosedRange<Int>,
        _ path: @autoclosure () -> String
    ) throws(MemberFault) -> String {
        let byteCount = text.utf8.count
        guard byteCount > 0 || byteCounts.lowerBound == 0 else { throw .empty(path()) }
        guard byteCount <= byteCounts.upperBound else { throw .tooLong(path(), byteCount: byteCount) }
        guard byteCount >= byteCounts.lowerBound else { throw .malformed(path()) }
        return text
    }

    /// Takes a text that is one of a type's words; `nil` means that it is absent.
    package mutating func optionalWord<Word>(_ key: String) throws(MemberFault) -> Word?
    where Word: RawRepresentable<String> & CaseIterable {
        guard let text = try optional(key, \.string) else { return nil }
        guard let word = Word.allCases.first(where: { text.isWord($0.rawValue) }) else {
            throw .unknownWord(path(of: key))
        }
        return word
    }

    package mutating func word<Word>(_ key: String) throws(MemberFault) -> Word
    where Word: RawRepresentable<String> & CaseIterable {
        try required(key, try optionalWord(key))
    }

    /// Takes a text that a type reads, as a date; `nil` means that it is absent.
    package mutating func optionalShape<Shape>(_ key: String, _ read: (String) -> Shape?) throws(MemberFault) -> Shape?
    {
        guard let text = try optional(key, \.string) else { return nil }
        guard let shape = read(text) else { throw .malformed(path(of: key)) }
        return shape
    }

    package mutating func shape<Shape>(_ key: String, _ read: (String) -> Shape?) throws(MemberFault) -> Shape {
        try required(key, try optionalShape(key, read))
    }

    // MARK: Numbers and switches

    package mutating func optionalInteger(_ key: String, _ range: ClosedRange<Int64>) throws(MemberFault) -> Int64? {
        guard let integer = try optional(key, \.integer) else { return nil }
        guard range.contains(integer) else { throw .outOfRange(path(of: key)) }
        return integer
    }

    package mutating func integer(_ key: String, _ range: ClosedRange<Int64>) throws(MemberFault) -> Int64 {
        try required(key, try optionalInteger(key, range))
    }

    package mutating func optionalNumber(_ key: String) throws(MemberFault) -> Double? { try optional(key, \.double) }

    package mutating func optionalNumber(
        _ key: String,
        _ range: ClosedRange<Double>
    ) throws(MemberFault) -> Double? {
        guard let number = try optionalNumber(key) else { return nil }
        guard range.contains(number) else { throw .outOfRange(path(of: key)) }
        return number
    }

    package mutating func number(_ key: String, _ range: ClosedRange<Double>) throws(MemberFault) -> Double {
        try required(key, try optionalNumber(key, range))
    }

    /// Takes a list of so many numbers; `nil` means that it is absent.
    package mutating func optionalNumbers(
        _ key: String,
        count: Int,
        _ range: ClosedRange<Double>
    ) throws(MemberFault) -> [Double]? {
        guard let list = try optionalList(key, atMost: count) else { return nil }
        guard list.count == count else { throw .malformed(path(of: key)) }
        return try list.map { element throws(MemberFault) in
            guard let number = element.double else { throw .wrongKind(path(of: key)) }
            guard range.contains(number) else { throw .outOfRange(path(of: key)) }
            return number
        }
    }

    package mutating func number(_ key: String) throws(MemberFault) -> Double {
        try required(key, try optionalNumber(key))
    }

    package mutating func optionalFlag(_ key: String) throws(MemberFault) -> Bool? { try optional(key, \.bool) }

    package mutating func flag(_ key: String) throws(MemberFault) -> Bool {
        try required(key, try optionalFlag(key))
    }

    // MARK: Objects and lists

    /// Takes an object to be read in turn; `nil` means that it is absent.
    package mutating func optionalMembers(_ key: String) throws(MemberFault) -> Members? {
        guard let object = try optional(key, \.object) else { return nil }
        return try inner(object, key)
    }

    /// Members of an object that no message has: it is refused before each of its members is looked for.
    private static let mostMembers = 64

    private func inner(_ object: JSONObject, _ key: String) throws(MemberFault) -> Members {
        let path = path(of: key)
        guard policy == .lenient || object.count <= Self.mostMembers else { throw .unknownMember(of: path) }
        return Members(object, policy, path: path)
    }

    package mutating func members(_ key: String) throws(MemberFault) -> Members {
        try required(key, try optionalMembers(key))
    }

    package mutating func optionalList(_ key: String, atMost limit: Int) throws(MemberFault) -> [JSON]? {
        guard let list = try optional(key, \.array) else { return nil }
        guard list.count <= limit else { throw .tooMany(path(of: key), count: list.count) }
        return list
    }

    /// Takes a list of objects, each read by `read`; `nil` means that it is absent.
    package mutating func optionalElements<Element>(
        _ key: String,
        atMost limit: Int,
        _ read: (inout Members) throws(MemberFault) -> Element
    ) throws(MemberFault) -> [Element]? {
        guard let list = try optionalList(key, atMost: limit) else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(list.count)
        for value in list {
            guard let object = value.object else { throw .wrongKind(path(of: key)) }
            var members = try inner(object, key)
            elements.append(try read(&members))
            try members.end()
        }
        return elements
    }

    package mutating func elements<Element>(
        _ key: String,
        atMost limit: Int,
        _ read: (inout Members) throws(MemberFault) -> Element
    ) throws(MemberFault) -> [Element] {
        try required(key, try optionalElements(key, atMost: limit, read))
    }

    /// Takes an object that somebody else reads.
    package mutating func object(_ key: String) throws(MemberFault) -> JSONObject {
        try required(key, try optional(key, \.object))
    }

    /// Takes a payload: an object of at most 16 levels.
    package mutating func payload(_ key: String) throws(MemberFault) -> Payload {
        let object = try required(key, try optional(key, \.object))
        guard JSON.object(object).isNested(atMost: Payload.depthLimit) else { throw .tooDeep(path(of: key)) }
        return Payload(object)
    }

    /// Takes `protocol`, which is a version that both ends speak.
    package mutating func version() throws(MemberFault) {
        guard value("protocol")?.integer == centerProtocolVersion else { throw .unsupportedProtocol }
    }
}
