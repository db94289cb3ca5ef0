// SPDX-License-Identifier: Apache-2.0

/// The bounds of a view's scene; what goes beyond one ends the view.
///
/// Source: PROTOCOL.md, "Views".
package enum SceneLimits {
    package static let nodeCount = 512
    /// Levels of nodes, the root included.
    package static let depth = 32
    /// Children of one node.
    package static let childCount = 256
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
    /// Files that one update names.
    package static let blobCount = 16
    /// Calls of one update.
    package static let callCount = 16
    /// Buttons below the box; more are cut.
    package static let actionCount = 10
    /// Characters of a view's title; more are cut.
    package static let titleCharacterCount = 100
    /// Bytes of the text that a person writes in a field, which its node must be able to show.
    package static let writtenTextByteCount = nodeTextByteCount

    /// Bytes of the text that a person answers with.
    package static let responseTextByteCount = 16_384

    /// Any number, in points unless its member says otherwise.
    package static let number = -100_000.0...100_000.0
    /// A width, a height, a radius.
    package static let extent = 0.0...4_096.0
    package static let opacity = 0.0...1.0
}
