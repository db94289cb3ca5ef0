// SPDX-License-Identifier: Apache-2.0

/// What anyone can see of a sealed text, without a key.
package struct SealedSummary: Sendable, Equatable {
    package let format: SealFormat
    /// Decoded bytes.
    package let byteCount: Int
    /// nil for formats without one.
    package let header: EnvelopeHeader?

    /// Throws the public errors that an opener would throw before it looks for a key.
    package init(of text: Span<UInt8>) throws(OpenError) {
        guard text.count <= Workspace.maximumTextByteCount else {
            throw .tooLarge(limit: Workspace.maximumTextByteCount, got: text.count)
        }
        guard let format = SealedFormats.format(of: text)?.format else { throw .formatNotAccepted(nil) }
        self.format = format
        var bytes = [UInt8](repeating: 0, count: text.count + 3)
        let count = try unsafe bytes.withUnsafeMutableBufferPointer { buffer throws(OpenError) -> Int in
            guard let start = buffer.baseAddress else { return 0 }
            return switch format {
            case .v1: try unsafe EnvelopeV1.decode(text, into: start)
            case .sealedBox: try unsafe Base64.decode(text, into: start)
            }
        }
        byteCount = count
        switch format {
        case .v1:
            header = try EnvelopeHeader(parsing: bytes.span.extracting(..<count))
        case .sealedBox:
            guard count >= SealedBox.overhead else { throw .tooShort(needed: SealedBox.overhead, got: count) }
            header = nil
        }
    }
}
