// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A picture in a text, where the character U+FFFC stands.
///
/// Source: Apple, "NSTextAttachment".
open class NSTextAttachment: NSObject {
    /// The character of an attachment.
    public class var character: Int { 0xFFFC }

    // The first stored property: see `AttributeMark`.
    private let mark = AttributeMark()
    /// The picture.
    open var image: UIImage?
    /// The place over the base of letters, and the size; zero is the picture's own.
    open var bounds = CGRect.zero
    /// The bytes of the attachment.
    open var contents: Data?
    /// The type of the bytes, by its identifier.
    open var fileType: String?

    /// Takes bytes and their type; bytes of a picture are the picture.
    public init(data contentData: Data?, ofType uti: String?) {
        (contents, fileType) = (contentData, uti)
        image = contentData.flatMap { UIImage(data: $0) }
    }

    /// Makes an attachment without a picture.
    public override convenience init() {
        self.init(data: nil, ofType: nil)
    }

    /// Takes a picture.
    public convenience init(image: UIImage) {
        self.init()
        self.image = image
    }
}

extension NSAttributedString {
    /// Makes a text of one picture.
    public convenience init(attachment: NSTextAttachment) {
        self.init(string: "\u{FFFC}", attributes: [.attachment: attachment])
    }
}
