// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The kind of data that a file or a message holds.
///
/// Apple's system knows the types that every installed app declares. This one knows the common public types (see
/// `UTType.declared`); anything else gets a dynamic type from its extension or MIME type, as on Apple's platforms.
public struct UTType: Hashable, Sendable {
    /// The uniform type identifier, such as `public.jpeg`.
    public let identifier: String

    /// A type that is known to exist.
    init(known identifier: String) {
        self.identifier = identifier
    }

    /// The type of an identifier; nil when nobody declares it.
    public init?(_ identifier: String) {
        let identifier = identifier.lowercased()
        guard TypeTable.declaration(of: identifier) != nil || DynamicType(identifier: identifier) != nil else {
            return nil
        }
        self.identifier = TypeTable.declaration(of: identifier)?.identifier ?? identifier
    }

    /// A type that the app itself declares; it conforms to `data`, or to what is said.
    public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.identifier = identifier
    }

    /// A type that another app declares; it conforms to `data`, or to what is said.
    public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.identifier = identifier
    }

    /// The type of files with an extension, a dynamic one if none is declared; nil for an empty extension.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        self.init(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype)
    }

    /// The type of a MIME type, a dynamic one if none is declared; nil for an empty one.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        self.init(tag: mimeType, tagClass: .mimeType, conformingTo: supertype)
    }

    /// The type of a tag, a dynamic one if none is declared; nil for an empty tag.
    public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
        guard let type = Self.types(tag: tag, tagClass: tagClass, conformingTo: supertype).first else { return nil }
        self = type
    }

    /// All types of a tag, the preferred one first; a dynamic one if none is declared.
    public static func types(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) -> [UTType] {
        let tag = tag.lowercased()
        guard !tag.isEmpty else { return [] }
        let declared = TypeTable.identifiers(of: tag, tagClass)
            .map(UTType.init(known:))
            .filter { type in supertype.map { type.conforms(to: $0) } ?? true }
        if !declared.isEmpty { return declared }
        return [UTType(known: DynamicType(tagClass: tagClass, tag: tag).identifier)]
    }

    // MARK: Facts

    private var declaration: TypeDeclaration? { TypeTable.declaration(of: identifier) }

    /// The extension for a new file of the type, without a point; nil if it has none.
    public var preferredFilenameExtension: String? { tags[.filenameExtension]?.first }

    /// The MIME type; nil if it has none.
    public var preferredMIMEType: String? { tags[.mimeType]?.first }

    /// A few English words; nil for a type that nobody declares.
    public var localizedDescription: String? { declaration?.description }

    /// Always `nil`, because only an app's Info.plist gives a type a version.
    public var version: Int? { nil }

    /// Always `nil`, because only an app's Info.plist gives a type an address.
    public var referenceURL: URL? { nil }

    /// True if the type was made up for a file extension or a MIME type.
    public var isDynamic: Bool { identifier.hasPrefix(DynamicType.prefix) }

    /// True if the type is declared.
    public var isDeclared: Bool { declaration != nil }

    /// True if the type is declared and belongs to no company.
    public var isPublic: Bool { isDeclared && identifier.hasPrefix("public.") }

    /// The type's extensions and MIME types, the preferred ones first.
    public var tags: [UTTagClass: [String]] {
        if let declaration {
            return [.filenameExtension: declaration.extensions, .mimeType: declaration.mimeTypes].filter {
                !$0.value.isEmpty
            }
        }
        return DynamicType(identifier: identifier).map { [$0.tagClass: [$0.tag]] } ?? [:]
    }

    /// All types it conforms to, itself not among them.
    public var supertypes: Set<UTType> {
        var found: Set<UTType> = []
        var waiting = declaration?.parents ?? ["public.data"]
        while let next = waiting.popLast() {
            guard found.insert(UTType(known: next)).inserted else { continue }
            waiting += TypeTable.declaration(of: next)?.parents ?? []
        }
        return found
    }

    /// Tells whether this is the given type or one of its subtypes.
    public func conforms(to type: UTType) -> Bool { self == type || supertypes.contains(type) }

    /// Tells whether this is a subtype of the given type, and not that type itself.
    public func isSubtype(of type: UTType) -> Bool { self != type && supertypes.contains(type) }

    /// Tells whether the given type is a subtype of this one, and not this type itself.
    public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }
}

extension UTType: CustomStringConvertible, CustomDebugStringConvertible {
    /// The identifier.
    public var description: String { identifier }
    /// The identifier.
    public var debugDescription: String { identifier }
}

extension UTType: Codable {
    /// Reads the identifier.
    public init(from decoder: any Decoder) throws {
        identifier = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes the identifier.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(identifier)
    }
}

/// A way to name types from outside.
public struct UTTagClass: RawRepresentable, Hashable, Sendable {
    /// Apple's identifier of the class.
    public let rawValue: String

    /// A class by its identifier.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Extensions of file names, without a point.
    public static let filenameExtension = UTTagClass(rawValue: "public.filename-extension")
    /// MIME types.
    public static let mimeType = UTTagClass(rawValue: "public.mime-type")
}

/// A type that nobody declares, with the tag it was made for in its identifier.
struct DynamicType {
    /// Apple's, whose identifiers hold the tag in an encoding of their own, begin with the same four characters.
    static let prefix = "dyn."

    let tagClass: UTTagClass
    let tag: String

    init(tagClass: UTTagClass, tag: String) {
        self.tagClass = tagClass
        self.tag = tag
    }

    init?(identifier: String) {
        guard identifier.hasPrefix(Self.prefix) else { return nil }
        let text = identifier.dropFirst(Self.prefix.count)
        guard let kind = text.first, let tagClass = Self.classes[kind], text.count % 2 == 1 else { return nil }
        var bytes: [UInt8] = []
        var digits = text.dropFirst()
        while !digits.isEmpty {
            guard let byte = UInt8(digits.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            digits = digits.dropFirst(2)
        }
        guard !bytes.isEmpty, let tag = String(validating: bytes, as: UTF8.self) else { return nil }
        self.init(tagClass: tagClass, tag: tag)
    }

    private static let classes: [Character: UTTagClass] = ["e": .filenameExtension, "m": .mimeType]

    var identifier: String {
        let kind = tagClass == .mimeType ? "m" : "e"
        let digits = tag.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return Self.prefix + kind + digits
    }
}
