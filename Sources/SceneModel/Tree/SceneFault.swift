// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol

/// The reason for which an update that is well formed does not fit its scene.
package enum SceneFault: Error, Equatable {
    /// A node under an id that is not above all earlier ones, and that no living node has.
    case usedID(UInt32)
    /// A file under a number that is not above those of all files before it.
    case usedFile(UInt32)
    /// A node that goes, a parent or a child that is none.
    case unknownNode(UInt32)
    /// A node is its own parent, over however many others.
    case circle(UInt32)
    /// An order names a node twice, or one that hangs elsewhere.
    case notAChild(UInt32, of: UInt32)
    /// The box has another number of children than one, strips apart, or more than one strip.
    case rootCount(Int)
    /// A strip that hangs elsewhere than at the box.
    case strip(UInt32)
    case tooManyNodes(Int)
    case tooDeep(Int)
    case tooManyChildren(Int)
    /// A node, or all of them, that are longer as JSON than they may.
    case nodeTooLong(byteCount: Int)
    case sceneTooLong(byteCount: Int)
    case tooMuchText(byteCount: Int)
    case tooMuchTextOfNode(byteCount: Int)
    case tooManyLines(Int)
    /// An update in more packets than it may have.
    case tooManyPieces
    /// Pieces that are no update together.
    case joined(MemberFault)
    /// An acknowledgement of an event that was never sent.
    case unknownEvent(UInt64)
}

extension SceneFault: CustomStringConvertible {
    /// One clause for a log, without a text of the worker.
    package var description: String {
        switch self {
        case .usedFile(let number): "file \(number), whose number was used or does not rise"
        case .usedID(let id): "node \(id), whose id was used or does not rise"
        case .unknownNode(let id): "node \(id), which there is not"
        case .circle(let id): "node \(id) below itself"
        case .notAChild(let id, let parent): "node \(id) in the order of \(parent), whose child it is not, or twice"
        case .rootCount(let count): "\(count) nodes in the box, where one belongs"
        case .strip(let id): "node \(id) as a strip, which hangs at the box alone"
        case .nodeTooLong(let byteCount):
            "a node of \(byteCount) bytes, at most \(SceneLimits.nodeByteCount) are allowed"
        case .sceneTooLong(let byteCount):
            "nodes of \(byteCount) bytes in all, at most \(SceneLimits.byteCount) are allowed"
        case .tooManyNodes(let count): "\(count) nodes, at most \(SceneLimits.nodeCount) are allowed"
        case .tooDeep(let depth): "nodes \(depth) levels deep, at most \(SceneLimits.depth) are allowed"
        case .tooManyChildren(let count): "\(count) children, at most \(SceneLimits.childCount) are allowed"
        case .tooMuchText(let byteCount):
            "texts of \(byteCount) bytes in all, at most \(SceneLimits.textByteCount) are allowed"
        case .tooMuchTextOfNode(let byteCount):
            "a node with \(byteCount) bytes of text, at most \(SceneLimits.nodeTextByteCount) are allowed"
        case .tooManyLines(let count): "\(count) lines of text, at most \(SceneLimits.lineCount) are allowed"
        case .joined(let fault): "pieces that are no update together: \(fault)"
        case .tooManyPieces: "an update in more than \(SceneLimits.pieceCount) packets"
        case .unknownEvent(let seq): "an answer to event \(seq), which was not sent"
        }
    }
}
