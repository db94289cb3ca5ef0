// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: immutable after `init`.
/// A picture of a person or a group, named or as bytes; nothing loads it.
open class INImage: NSObject, NSCopying, @unchecked Sendable {
    /// The source of a picture.
    package enum Source: Sendable, Equatable {
        case name(String)
        case systemName(String)
        case data(Data)
        case url(URL)
    }

    package let source: Source

    private init(_ source: Source) {
        self.source = source
    }

    /// An image of the bundle.
    public convenience init(named name: String) { self.init(.name(name)) }

    /// A symbol of Apple's.
    public convenience init(systemImageNamed name: String) { self.init(.systemName(name)) }

    /// Bytes of a PNG or JPEG file.
    public convenience init(imageData: Data) { self.init(.data(imageData)) }

    /// A picture somewhere else.
    public convenience init?(url URL: URL) { self.init(.url(URL)) }

    /// A picture somewhere else, of a size in points that is not kept.
    public convenience init?(url URL: URL, width: Double, height: Double) { self.init(.url(URL)) }

    /// Returns the image itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares the names, the bytes or the addresses, not what they show.
    open override func isEqual(_ object: Any?) -> Bool { (object as? INImage)?.source == source }

    /// The same for equal images.
    open override var hash: Int {
        switch source {
        case .name(let name), .systemName(let name): name.hashValue
        case .data(let data): data.hashValue
        case .url(let url): url.hashValue
        }
    }
}
