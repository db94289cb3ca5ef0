// SPDX-License-Identifier: Apache-2.0

/// The facts about a push that stand outside the envelope, to some of which the sender may have bound the envelope.
public struct PushContext: Sendable, Equatable {
    /// A fact that an envelope can be bound to; the raw value is its name in messages.
    public enum Part: String, Sendable {
        /// The app, `apns-topic`.
        case topic
        /// `apns-collapse-id`.
        case collapseID = "collapse-id"
        /// `apns-id`.
        case requestID = "request-id"
    }

    /// 1…255 bytes of UTF-8.
    public var topic: String
    /// `apns-collapse-id`: 1…255 bytes of UTF-8, or nil when the push has none.
    public var collapseID: String?
    /// `apns-id` as the sender wrote it: 1…255 bytes of UTF-8, or nil when the push has none.
    public var requestID: String?
    /// The device that the push is addressed to, for a receiver that serves several devices with one opener.
    ///
    /// One payload opens once for each device. Sealing ignores it.
    public var device: String?
    /// The receiver's own number of this push, from 0 and below 2³⁸; nil for a push that is seen for the first time.
    ///
    /// The same envelope opens again under the same number: a push taken up after a crash is no replay. Without a
    /// number it never opens again. For sealing it means nothing.
    public var row: Int64?

    /// The context of one push; parts that are nil are absent from it.
    public init(
        topic: String,
        collapseID: String? = nil,
        requestID: String? = nil,
        device: String? = nil,
        row: Int64? = nil
    ) {
        self.topic = topic
        self.collapseID = collapseID
        self.requestID = requestID
        self.device = device
        self.row = row
    }
}

extension PushContext {
    /// HPKE's `info`: "nse-envelope-v1" ‖ 00 ‖ header ‖ each bound part as u8 length ‖ bytes, the topic always.
    ///
    /// Source: FORMAT.md, "Binding".
    func info(header: Span<UInt8>, flags: EnvelopeHeader.Flags) throws(OpenError) -> [UInt8] {
        var info: [UInt8] = []
        info.reserveCapacity(256)
        info.append(contentsOf: Self.infoLabel)
        for index in header.indices { info.append(header[index]) }
        try Self.append(.topic, topic, to: &info)
        if flags.contains(.collapseIDBound) { try Self.append(.collapseID, collapseID, to: &info) }
        if flags.contains(.requestIDBound) { try Self.append(.requestID, requestID, to: &info) }
        return info
    }

    private static let infoLabel = Array("nse-envelope-v1\0".utf8)

    private static func append(_ part: Part, _ text: String?, to info: inout [UInt8]) throws(OpenError) {
        guard let text, (1...255).contains(text.utf8.count) else { throw .contextMissing(part) }
        info.append(UInt8(text.utf8.count))
        info.append(contentsOf: text.utf8)
    }
}
