// SPDX-License-Identifier: Apache-2.0

/// The rule by which the inner part is lengthened, so that an envelope's size says little of its content.
///
/// Source: FORMAT.md, "Padding".
public enum Padding: Sendable, Equatable {
    /// To the next of 256, 512, 1024, 1536, 2048, 2560 bytes, then to the whole room.
    case buckets
    /// To the whole room.
    case maximum
    /// No padding: the size of an envelope shows that of the content to the byte.
    case none
    /// To so many bytes, inner header included.
    case exact(Int)

    static let steps = [256, 512, 1024, 1536, 2048, 2560]

    /// The padded length of an inner part of `byteCount` bytes where `room` bytes fit.
    func length(of byteCount: Int, room: Int) throws(SealError) -> Int {
        guard byteCount <= room else { throw .tooLarge(excess: byteCount - room) }
        switch self {
        case .none: return byteCount
        case .maximum: return room
        case .buckets: return min(room, Self.steps.first { $0 >= byteCount } ?? room)
        case .exact(let length):
            guard byteCount <= length else { throw .paddingTooSmall(needed: byteCount) }
            guard length <= room else { throw .tooLarge(excess: length - room) }
            return length
        }
    }
}
