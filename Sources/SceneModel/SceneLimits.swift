// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload

/// The bounds of a view's scene: what goes beyond one ends the view, but for a file, which is only refused.
///
/// Source: PROTOCOL.md, "Views".
package enum SceneLimits {
    package static let nodeCount = 512
    /// Levels of nodes, the root included.
    package static let depth = 32
    /// Children of one node.
    package static let childCount = 256
    /// Bytes of one node as it is written in JSON, so that it fits a packet with what stands beside nodes.
    package static let nodeByteCount = 40_000
    /// Bytes of all nodes of a scene as they are written in JSON.
    ///
    /// Two packets that follow each other have more than one packet's room together, so that eight hold a whole scene.
    package static let byteCount = 240_000
    /// Bytes of UTF-8 in all texts of one node.
    package static let nodeTextByteCount = 8_192
    /// Bytes of UTF-8 in all texts of a scene.
    package static let textByteCount = 65_536
    /// Lines of all text nodes of a scene.
    package static let lineCount = 400
    /// Parts of one text that differ in font or colour.
    package static let runCount = 64
    /// Packets of one update that does not fit one packet.
    package static let pieceCount = 8
    /// Choices of a segmented control.
    package static let segmentCount = 16
    /// Files of a view that are kept at once, and that one update brings.
    package static let fileCount = LinkViewFile.limit
    /// Files that a view has named and that are not copied yet: as many as four updates bring.
    package static let waitingFileCount = 4 * fileCount
    /// Bytes of a picture of a view.
    package static let fileByteCount = AttachmentType.Kind.image.maximumByteCount
    /// Bytes of a file of a view whose name has an extension: that of a film or a sound, or else as of a picture.
    package static func fileByteCount(named pathExtension: String) -> Int {
        AttachmentType(pathExtension: pathExtension).map(\.kind.maximumByteCount) ?? fileByteCount
    }
    /// Bytes of all files of a view: of one film, and of pictures beside it.
    package static let fileByteCountInAll = 64 << 20
    /// Pixels of a picture.
    package static let pixelCount = 16_000_000
    /// Calls of one update.
    package static let callCount = 16
    /// Buttons below the box; more are cut.
    package static let actionCount = 10
    /// Bytes of all buttons below the box as they are written in JSON.
    package static let actionByteCount = 8_192
    /// Characters of a view's title or an action's; more are cut.
    package static let titleCharacterCount = 100
    /// Bytes of UTF-8 of a view's title or an action's; what goes beyond is cut.
    package static let titleByteCount = 400
    /// Bytes of the text that a person writes in a field; a scene that is nearly full takes fewer.
    package static let writtenTextByteCount = nodeTextByteCount

    /// Bytes of the text that a person answers with.
    package static let responseTextByteCount = 16_384

    /// Any number, in points unless its member says otherwise.
    package static let number = -100_000.0...100_000.0
    /// A width or a height inside the box.
    package static let length = 0.0...100_000.0
    /// A width or a height of the box, a radius, a distance.
    package static let extent = 0.0...4_096.0
    /// A node of less opacity is not seen, and takes no acts of a person.
    package static let leastOpacity = 0.01
    package static let opacity = 0.0...1.0
}
