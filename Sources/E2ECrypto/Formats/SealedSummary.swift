// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// The facts about a sealed message that anyone can see without a key.
package struct SealedSummary: Sendable, Equatable {
    /// The keys that a message names: its recipient's in the header, and its sender's.
    package struct Names: Sendable, Equatable {
        /// nil for formats without one.
        var header: EnvelopeHeader?
        /// nil for messages that name no sender.
        var sender: KeyID?
    }

    package let format: SealFormat
    /// Decoded bytes.
    package let byteCount: Int
    private let names: Names

    /// nil for formats without one.
    package var header: EnvelopeHeader? { names.header }
    /// nil for messages that name no sender.
    package var sender: KeyID? { names.sender }

    /// Looks at a text as it stands in `encrypted-content`.
    ///
    /// Throws the public errors that an opener would throw before it looks for a key.
    package init(of text: Span<UInt8>) throws(OpenError) {
        self = try Self.inspect(text, try Self.format(of: text, in: .encryptedContent, accept: []))
    }

    /// Looks at a text that stands in `field`, for a receiver that takes the formats of `accept`; otherwise as
    /// `init(of:)`.
    package init(of text: Span<UInt8>, in field: SealedField, accept: Set<SealFormat>) throws(OpenError) {
        let format = try Self.format(of: text, in: field, accept: accept)
        guard accept.contains(format.format) else { throw .formatNotAccepted(format.format) }
        self = try Self.inspect(text, format)
    }

    private static func inspect(
        _ text: Span<UInt8>,
        _ format: any SealedFormat.Type
    ) throws(OpenError) -> SealedSummary {
        var bytes = [UInt8](repeating: 0, count: text.count + 3)
        return try unsafe bytes.withUnsafeMutableBufferPointer { buffer throws(OpenError) -> SealedSummary in
            guard let start = buffer.baseAddress else { throw .formatNotAccepted(nil) }
            return try unsafe SealedSummary(format, decoding: text, into: start)
        }
    }

    /// Decodes a text of `format` into `output`, with room for three bytes for every four characters begun.
    init(
        _ format: any SealedFormat.Type,
        decoding text: Span<UInt8>,
        into output: UnsafeMutablePointer<UInt8>
    ) throws(OpenError) {
        self.format = format.format
        byteCount = try unsafe format.decode(text, into: output)
        names = try unsafe format.inspect(Span(_unsafeStart: output, count: byteCount))
    }

    /// The format that a text claims, if its length is allowed.
    static func format(
        of text: Span<UInt8>,
        in field: SealedField,
        accept: Set<SealFormat>
    ) throws(OpenError) -> any SealedFormat.Type {
        guard text.count <= Workspace.maximumTextByteCount else {
            throw .tooLarge(limit: Workspace.maximumTextByteCount, got: text.count)
        }
        guard let format = SealedFormats.format(of: text, in: field, accept: accept) else {
            throw .formatNotAccepted(nil)
        }
        return format
    }
}
