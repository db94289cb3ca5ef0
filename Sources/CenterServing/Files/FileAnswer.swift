// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Dispatch
import NIOCore
import NIOHTTP1
import NotificationPayload

/// A file as an answer: one whole file, or one part of it.
///
/// The type is one of our table, whatever the bytes are, and nothing in the file runs where it is shown. A file of a
/// notification is not kept by whoever reads it, so that one which an app takes back is gone.
package struct FileAnswer: Sendable {
    /// Bytes that are read and sent in one piece.
    private static let chunkByteCount = 64 << 10

    private let file: FileDraft
    private let range: Range<Int64>
    let status: HTTPResponseStatus
    let headers: HTTPHeaders
    let tag: String

    /// Answers with the file at a place of its notification, under its tag; `nil` means that nothing of it lies in the
    /// range asked for.
    init?(_ file: FileDraft, tag: String, _ type: AttachmentType, place: Int, _ request: APIRequest) {
        self.init(
            file,
            tag: tag,
            type: type.mediaType,
            name: "attachment-\(place).\(type.preferredPathExtension)",
            request
        )
    }

    /// Answers with a picture of a view, which is gone with it.
    init?(_ file: FileDraft, _ number: UInt32, of view: Int64, _ type: AttachmentType, _ request: APIRequest) {
        self.init(
            file,
            tag: "\(view)-\(number)",
            type: type.mediaType,
            name: "picture-\(number).\(type.preferredPathExtension)",
            request
        )
    }

    /// Answers with a file of an app, which whoever reads it may keep, and asks each time whether it is the same.
    init?(_ file: FileDraft, _ app: AppFile, _ kept: KeptAppFile, _ request: APIRequest) {
        let name =
            switch app.use {
            case .icon: "icon.png"
            case .sound(let name): name
            }
        self.init(file, tag: kept.tag, type: app.use.mediaType, name: name, caching: "private, no-cache", request)
    }

    /// `name` has letters, digits and punctuation without quotes.
    private init?(
        _ file: FileDraft,
        tag text: String,
        type: String,
        name: String,
        caching: String = "no-store",
        _ request: APIRequest
    ) {
        let byteCount = file.byteCount
        tag = "\"\(text)\""
        // A part of another file is of no use.
        let isSame = request.headers["if-range"].first == nil || request.headers["if-range"].first == tag
        var headers = APIAnswer.headers(type: type)
        headers.replaceOrAdd(name: "cache-control", value: caching)
        headers.add(name: "content-security-policy", value: "sandbox; default-src 'none'")
        headers.add(name: "cross-origin-resource-policy", value: "same-origin")
        headers.add(
            name: "content-disposition",
            value: "inline; filename=\"\(name)\""
        )
        headers.add(name: "accept-ranges", value: "bytes")
        headers.add(name: "etag", value: tag)
        switch ByteRange(isSame ? request.headers["range"].first : nil, of: byteCount) {
        case .whole: (range, status) = (0..<byteCount, .ok)
        case .part(let part):
            (range, status) = (part, .partialContent)
            headers.add(name: "content-range", value: "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(byteCount)")
        case .unsatisfiable: return nil
        }
        headers.add(name: "content-length", value: "\(range.count)")
        self.headers = headers
        self.file = file
    }

    /// Writes head and body; a file that cannot be read any more ends the connection.
    func write(
        isHeadOnly: Bool,
        isLast: Bool,
        _ write: (HTTPServerResponsePart) async throws -> Void
    ) async throws {
        var headers = headers
        if isLast { headers.add(name: "connection", value: "close") }
        try await write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)))
        var position = range.lowerBound
        while !isHeadOnly, position < range.upperBound {
            let limit = Int(min(Int64(Self.chunkByteCount), range.upperBound - position))
            guard let bytes = await read(from: position, limit), !bytes.isEmpty else { throw FileLost() }
            try await write(.body(.byteBuffer(ByteBuffer(bytes: bytes))))
            position += Int64(bytes.count)
        }
        try await write(.end(nil))
    }

    private func read(from position: Int64, _ limit: Int) async -> [UInt8]? {
        await withCheckedContinuation { answer in
            Self.thread.async { [file] in answer.resume(returning: file.read(from: position, atMost: limit)) }
        }
    }

    /// Reading waits for the disk.
    private static let thread = DispatchQueue(label: "center.downloads", attributes: .concurrent)
}

/// The disk gave less of a file than it has.
private struct FileLost: Error {}
