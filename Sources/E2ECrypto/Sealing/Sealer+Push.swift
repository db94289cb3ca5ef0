// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

extension Sealer {
    /// Bytes of a push that `sealPush` makes unless told otherwise: 4096, as APNs takes.
    public static let pushByteLimit = PushBody.limit

    /// The text that `sealPush` shows outside the envelope unless told otherwise: "New notification".
    public static let defaultFallback = PushBody.defaultFallback

    /// Seals a whole push: what it says moves inside, and outside stay a fallback, `mutable-content` and the text.
    ///
    /// `payload` is a JSON object in UTF-8: an APNs payload, or the shorthand of FORMAT.md, "Content rules". What comes
    /// out is the body to post, a JSON object in UTF-8 of at most `byteLimit` bytes: 4096 for APNs, 5120 for VoIP
    /// pushes. `fallback` is shown where nothing can be opened. `kept` are keys of the payload, of its `aps` or of its
    /// `alert` that stand outside as well, readable by everybody on the way. `issued` is in Unix milliseconds, `ttl` in
    /// seconds, 0 being 30 days, the longest there is.
    ///
    /// Throws `badContent` for what no receiver would take, `reservedKey` and `missingKey` for `kept`, `emptyFallback`,
    /// `tooLarge`, `paddingTooSmall`, `badContext`, `unusableKey`. For several recipients call it on a sealer of each.
    public func sealPush(
        _ payload: Span<UInt8>,
        fallback: String = Sealer.defaultFallback,
        keeping kept: [String] = [],
        context: PushContext,
        issued: Int64,
        ttl: UInt32 = 0,
        padding: Padding = .buckets,
        byteLimit: Int = Sealer.pushByteLimit
    ) throws(SealError) -> [UInt8] {
        let object: JSONObject
        do { object = try JSONObject(parsing: payload) } catch { throw .badContent }
        let body = try PushBody(fallback: fallback, keeping: kept, of: try PushBody.normalised(object))
        let text = try seal(
            object.serialized.span,
            context: context,
            issued: issued,
            ttl: ttl,
            padding: padding,
            room: body.textRoom(in: byteLimit)
        )
        var bytes: [UInt8] = []
        body.append(text, to: &bytes)
        return bytes
    }
}
