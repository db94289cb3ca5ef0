// SPDX-License-Identifier: Apache-2.0

import E2ECrypto
import NotificationPayload

/// Seals payloads as one command line asks: to the same recipients, under the same context.
struct BodySealer {
    var sealers: [Sealer]
    var format: SealFormat
    var context: PushContext
    /// Seconds; 0 is the longest there is.
    var ttl: UInt32
    var padding: Padding
    var fallback: String
    /// Keys that stay in the clear as well.
    var kept: [String]
    /// The body around every sealed text; `nil` if keys are kept, because their values differ from payload to payload.
    private var body: PushBody?

    init(
        sealers: [Sealer],
        format: SealFormat,
        context: PushContext,
        ttl: UInt32,
        padding: Padding,
        fallback: String,
        keeping kept: [String]
    ) throws(Failure) {
        self.sealers = sealers
        self.format = format
        self.context = context
        self.ttl = ttl
        self.padding = padding
        self.fallback = fallback
        self.kept = kept
        body = kept.isEmpty ? try Self.body(fallback, keeping: [], of: [:]) : nil
    }

    /// A body for each recipient, each a line, of the payload in `bytes`, which messages call `name`.
    ///
    /// The line feed counts: what the command prints can be posted as it is.
    func seal(_ bytes: Span<UInt8>, _ name: String, now: Int64) throws(Failure) -> [UInt8] {
        let object = try JSONObject(payload: bytes, name)
        let normalised = try Self.normalised(object, name)
        let body = if let body { body } else { try Self.body(fallback, keeping: kept, of: normalised) }
        let content = object.serialized
        var output: [UInt8] = []
        output.reserveCapacity(sealers.count * PushBody.limit)
        for sealer in sealers {
            let text = try text(content, by: sealer, room: body.textRoom(in: PushBody.limit - 1), now: now)
            body.append(text, to: &output)
            output.append(UInt8(ascii: "\n"))
        }
        return output
    }

    /// The payload as its receiver will see it, so that what a receiver refuses is never sent.
    private static func normalised(_ object: JSONObject, _ name: String) throws(Failure) -> JSONObject {
        guard object["encrypted-content"] == nil else {
            throw .refused("\(name) is sealed already", hint: "seal the clear payload")
        }
        do {
            return try PushBody.normalised(object)
        } catch {
            throw .refused(
                "\(name) is no payload",
                hint: "\"aps\" is an object; without it, title, subtitle, body, thread-id and category are strings"
            )
        }
    }

    private static func body(
        _ fallback: String,
        keeping kept: [String],
        of payload: JSONObject
    ) throws(Failure) -> PushBody {
        do {
            return try PushBody(fallback: fallback, keeping: kept, of: payload)
        } catch .emptyFallback {
            throw .usage("\(SealError.emptyFallback)", hint: "nothing is opened where nothing can be shown; see -f")
        } catch .reservedKey(let key) {
            throw .usage("\(SealError.reservedKey(key))")
        } catch {
            throw .refused("\(error)")
        }
    }

    private func text(_ content: [UInt8], by sealer: Sealer, room: Int, now: Int64) throws(Failure) -> String {
        do {
            guard format == .v1 else { return try sealer.sealBox(content.span, room: room) }
            return try sealer.seal(
                content.span,
                context: context,
                issued: now,
                ttl: ttl,
                padding: padding,
                room: room
            )
        } catch .tooLarge(let excess) {
            if case .exact(let length) = padding, content.count <= sealer.contentRoom(inText: room, format: format) {
                throw .tooLarge("--pad is too large for APNs", hint: "there is room for --pad \(length - excess)")
            }
            throw .tooLarge(
                "the payload is \(excess) \(excess == 1 ? "byte" : "bytes") too large for APNs: "
                    + "it has \(content.count), there is room for "
                    + "\(max(0, sealer.contentRoom(inText: room, format: format)))",
                hint: "shorten it, or send less in the clear"
            )
        } catch .paddingTooSmall(let needed) {
            throw .refused("--pad is too small", hint: "this payload needs at least --pad \(needed)")
        } catch .badContext(let part) {
            throw .usage("\(SealError.badContext(part))")
        } catch {
            throw .refused("\(error)")
        }
    }
}
