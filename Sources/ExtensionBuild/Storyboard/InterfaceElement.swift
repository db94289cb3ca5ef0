// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An element of a storyboard or xib, which remembers what of it was read.
///
/// A part that nobody has read when the whole file has become Swift is named in a warning. Elements are read by one
/// thread.
final class InterfaceElement {
    /// The bytes that a storyboard or xib may have.
    static let fileByteCountLimit = 4 << 20
    /// The depth to which elements may be nested, the outermost one being 1.
    static let depthLimit = 64
    /// The elements of a file.
    static let countLimit = 20_000

    let name: String
    /// Counted from 1.
    let line: Int
    /// All of them, in the order of the file.
    private(set) var children: [InterfaceElement] = []
    /// The text inside an element without children; else empty.
    private(set) var text = ""
    private let attributes: [(name: String, value: String)]
    private var readNames: Set<String> = []
    private(set) var isRead = false

    private init(name: String, line: Int, attributes: [(name: String, value: String)]) {
        (self.name, self.line, self.attributes) = (name, line, attributes)
    }

    /// A copy of which nothing was read, with the values of those variations that hold put in.
    ///
    /// A variation keeps its masks, which are about the objects of its element.
    func unread() -> InterfaceElement {
        let variations = children.filter { $0.name == "variation" && SizeVariation.applies($0) }
        guard !variations.isEmpty else { return copy(attributes, children.map { $0.unread() }) }
        let places = Set(variations.map(ObjectIdentifier.init))
        let values = variations.flatMap { $0.children.filter { $0.name != "mask" } }
        // The later variation counts.
        let keyed = Dictionary(
            values.compactMap { value in value.attribute("key").map { ($0, ObjectIdentifier(value)) } },
            uniquingKeysWith: { $1 }
        )
        let own = children.filter { child in
            !places.contains(ObjectIdentifier(child)) && child.attribute("key").map { keyed[$0] == nil } != false
        }
        let others = values.filter { value in
            value.attribute("key").map { keyed[$0] == ObjectIdentifier(value) } != false
        }
        let given = Dictionary(
            variations.flatMap { $0.attributes.filter { $0.name != "key" } }.map { ($0.name, $0.value) },
            uniquingKeysWith: { $1 }
        )
        let merged =
            attributes.filter { given[$0.name] == nil }
            + given.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        return copy(merged, (own + others + variations.map { $0.masks() }).map { $0.unread() })
    }

    private func copy(_ attributes: [(name: String, value: String)], _ children: [InterfaceElement]) -> InterfaceElement
    {
        let copy = InterfaceElement(name: name, line: line, attributes: attributes)
        (copy.text, copy.children) = (text, children)
        return copy
    }

    /// A variation without its values.
    private func masks() -> InterfaceElement {
        copy(attributes.filter { $0.name == "key" }, children.filter { $0.name == "mask" })
    }

    /// The `id`, unique in its file; nil without one.
    var id: String? { self["id"] }
    /// The place that the element takes in its parent.
    var key: String? { self["key"] }

    /// An attribute's value, which counts as read.
    subscript(attribute: String) -> String? {
        guard let value = attributes.first(where: { $0.name == attribute })?.value else { return nil }
        readNames.insert(attribute)
        return value
    }

    /// The first child with that `key`, which counts as read; with a name, the first of that name.
    ///
    /// Guides have keys of their own, which may be those of values.
    func child(_ name: String? = nil, key: String) -> InterfaceElement? {
        let child = children.first { child in
            child.attribute("key") == key && (name == nil ? child.name != "viewLayoutGuide" : child.name == name)
        }
        return child?.reading()
    }

    /// The first child of that name, which counts as read.
    func child(named name: String) -> InterfaceElement? {
        children.first { $0.name == name }?.reading()
    }

    /// The children of the first child of that name, all read.
    func list(_ name: String) -> [InterfaceElement] {
        (child(named: name)?.children ?? []).map { $0.reading() }
    }

    /// The same element, which counts as read.
    func reading() -> InterfaceElement {
        isRead = true
        return self
    }

    /// Counts all attributes as read.
    func readAttributes() {
        readNames.formUnion(attributes.map(\.name))
    }

    /// The same element with all that is in it, which counts as read.
    func readingAll() -> InterfaceElement {
        readAttributes()
        for child in children { _ = child.readingAll() }
        return reading()
    }

    /// A value without counting it as read.
    func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

    /// The attributes that nobody asked for, in the order of the file.
    var unreadAttributes: [String] { attributes.map(\.name).filter { !readNames.contains($0) } }
}

// MARK: Reading

extension InterfaceElement {
    /// The outermost element of a file.
    static func root(of data: Data) throws(PropertyList.Mistake) -> InterfaceElement {
        guard data.count <= fileByteCountLimit else {
            throw PropertyList.Mistake(reason: "it has \(data.count) bytes, at most \(fileByteCountLimit) are possible")
        }
        var scanner = XMLScanner(try PropertyListText.utf8(of: data))
        try scanner.skipBetween()
        guard scanner.isAtTag else { throw scanner.mistake("no element begins so") }
        var count = 0
        let root = try element(try scanner.tag(), &scanner, depth: 1, &count)
        try scanner.skipBetween()
        guard scanner.isAtEnd else { throw scanner.mistake("something follows its end") }
        return root
    }

    private static func element(
        _ tag: XMLScanner.Tag,
        _ scanner: inout XMLScanner,
        depth: Int,
        _ count: inout Int
    ) throws(PropertyList.Mistake) -> InterfaceElement {
        count += 1
        guard count <= countLimit else { throw scanner.mistake("it has more than \(countLimit) elements") }
        guard depth <= depthLimit else { throw scanner.mistake("its elements are nested deeper than \(depthLimit)") }
        guard tag.kind != .end else { throw scanner.mistake("nothing begins that </\(tag.name)> could end") }
        let element = InterfaceElement(name: tag.name, line: tag.line, attributes: tag.attributes)
        guard tag.kind == .start else { return element }
        var text = ""
        while true {
            text += try scanner.text()
            guard !scanner.isAtEnd else { throw scanner.mistake("</\(tag.name)> is missing") }
            let next = try scanner.tag()
            if next.kind == .end {
                guard next.name == tag.name else { throw scanner.mistake("</\(tag.name)> is missing") }
                break
            }
            element.children.append(try Self.element(next, &scanner, depth: depth + 1, &count))
        }
        let isBlank = text.utf8.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
        if element.children.isEmpty {
            element.text = text
        } else if !isBlank {
            throw PropertyList.Mistake(line: tag.line, reason: "a text stands between the elements of <\(tag.name)>")
        }
        return element
    }
}
