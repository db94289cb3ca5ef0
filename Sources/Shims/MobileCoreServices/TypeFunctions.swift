// SPDX-License-Identifier: Apache-2.0

public import FoundationCompatibility
import UniformTypeIdentifiers

/// The identifier of the type a tag names, a dynamic one if none is declared; nil for an empty tag.
public func UTTypeCreatePreferredIdentifierForTag(
    _ inTagClass: CFString,
    _ inTag: CFString,
    _ inConformingToUTI: CFString?
) -> Unmanaged<CFString>? {
    let type = UTType(
        tag: inTag as String,
        tagClass: UTTagClass(rawValue: inTagClass as String),
        conformingTo: inConformingToUTI.map { UTType(importedAs: $0 as String) }
    )
    return type.map { Unmanaged.passRetained($0.identifier as CFString) }
}

/// The preferred extension or MIME type of a type; nil if it has none.
public func UTTypeCopyPreferredTagWithClass(_ inUTI: CFString, _ inTagClass: CFString) -> Unmanaged<CFString>? {
    let tags = UTType(importedAs: inUTI as String).tags[UTTagClass(rawValue: inTagClass as String)]
    return tags?.first.map { Unmanaged.passRetained($0 as CFString) }
}

/// Tells whether the first type is the second or one of its subtypes.
public func UTTypeConformsTo(_ inUTI: CFString, _ inConformsToUTI: CFString) -> Bool {
    UTType(importedAs: inUTI as String).conforms(to: UTType(importedAs: inConformsToUTI as String))
}

/// Tells whether two identifiers name one type.
public func UTTypeEqual(_ inUTI1: CFString, _ inUTI2: CFString) -> Bool {
    (inUTI1 as String).lowercased() == (inUTI2 as String).lowercased()
}

/// Tells whether the type was made up for a file extension or a MIME type.
public func UTTypeIsDynamic(_ inUTI: CFString) -> Bool { UTType(importedAs: inUTI as String).isDynamic }

/// Tells whether the type is declared.
public func UTTypeIsDeclared(_ inUTI: CFString) -> Bool { UTType(importedAs: inUTI as String).isDeclared }

/// A few English words for a type; nil for one that nobody declares.
public func UTTypeCopyDescription(_ inUTI: CFString) -> Unmanaged<CFString>? {
    UTType(importedAs: inUTI as String).localizedDescription.map { Unmanaged.passRetained($0 as CFString) }
}
