// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import FoundationEssentials
package import NIOCore
package import NIOHTTP1
package import NotificationPayload
package import UserNotificationCenter

/// Asks a running centre over the socket of an owner's API.
package struct CenterClient: Sendable {
    private static let answerLimit = 64 << 20
    /// The longest time for an answer.
    package static let patience = TimeAmount.seconds(10)

    private let socket: String
    private let hint: @Sendable () -> String

    /// Takes the path of the socket, and the next step for a person where nobody answers there.
    package init(socket: String, hint: @autoclosure @escaping @Sendable () -> String) {
        self.socket = socket
        self.hint = hint
    }

    /// Returns the object that the centre answers with; an empty one when the answer has no body.
    ///
    /// An answer for which a person is waited for may take longer than `patience`.
    package func ask(
        _ method: HTTPMethod,
        _ target: String,
        _ body: JSONObject? = nil,
        patience: TimeAmount = patience
    ) async throws -> JSONObject {
        try await withResponse(method, target, body, deadline: .now() + patience) { response in
            let bytes = Array(buffer: try await response.body.collect(upTo: Self.answerLimit))
            guard !bytes.isEmpty else { return [:] }
            guard let object = try? JSONObject(parsing: bytes.span, depthLimit: 64) else {
                throw Failure("what answers on \"\(socket)\" is no notification centre")
            }
            guard response.status.code < 400 else {
                throw Failure(
                    object["message"]?.string ?? "the centre answered with status \(response.status.code)",
                    reason: object["reason"]?.string
                )
            }
            return object
        }
    }

    /// Returns the bytes of a file; `nil` means that the centre does not hand it out, or that it is longer.
    ///
    /// Throws where nobody answers, the answer breaks off, or the centre cannot answer now.
    package func file(_ target: String, byteLimit: Int) async throws -> [UInt8]? {
        try await withResponse(.GET, target, nil, deadline: .now() + Self.patience) { response in
            guard response.status == .ok else {
                guard response.status.code < 500, response.status != .tooManyRequests else {
                    throw Failure("the centre answered with status \(response.status.code)")
                }
                return nil
            }
            do { return Array(buffer: try await response.body.collect(upTo: byteLimit)) } catch is NIOTooManyBytesError
            {
                return nil
            }
        }
    }

    /// Makes a call of an app, as docs/notification-center.md lists them.
    package func call(
        _ call: JSONObject,
        of topic: String,
        patience: TimeAmount = patience
    ) async throws -> JSONObject {
        try await ask(.POST, "/v1/app/\(Self.segment(topic))/calls", call, patience: patience)
    }

    /// A text as one part of a path or a query: each byte that is no letter and no digit of ASCII as `%` and two
    /// digits.
    package static func segment(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            let letter = byte | 0x20
            if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            {
                bytes.append(byte)
            } else {
                // Capital digits are the normal form of an address. Source: RFC 3986, section 6.2.2.1.
                bytes += Array("%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Calls `event` with each event that follows a position, until the centre ends the stream.
    ///
    /// The watch is a surface of this kind meanwhile; `nil` means that it is none.
    package func watch(
        after position: String,
        as kind: Presenter.Kind?,
        _ event: (ServerEvent) async throws -> Void
    ) async throws {
        let surface = kind.map { "&surface=\($0.rawValue)" } ?? ""
        let target = "/v1/events?after=\(Self.segment(position))" + surface
        try await withResponse(.GET, target, nil, deadline: .distantFuture) { response in
            guard response.status == .ok else {
                throw Failure("the centre answered with status \(response.status.code)")
            }
            var reader = EventReader()
            var parts = response.body.makeAsyncIterator()
            // A centre that ends does not finish what it says.
            while let part = try? await parts.next() {
                for told in try reader.take(part.readableBytesView) { try await event(told) }
            }
        }
    }

    private func withResponse<Value>(
        _ method: HTTPMethod,
        _ target: String,
        _ body: JSONObject?,
        deadline: NIODeadline,
        _ use: (HTTPClientResponse) async throws -> Value
    ) async throws -> Value {
        var request = HTTPClientRequest(url: "http+unix://\(Self.segment(socket))\(target)")
        request.method = method
        request.headers.add(name: "host", value: "nestbox")
        request.headers.add(name: "accept-language", value: Self.language)
        if let body {
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(body.serialized)
        }
        var configuration = HTTPClient.Configuration.singletonConfiguration
        // A centre that is not there does not come for a second try.
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(configuration: configuration)
        do {
            let response: HTTPClientResponse
            do { response = try await client.execute(request, deadline: deadline) } catch {
                throw Failure(
                    "no centre answers on \"\(socket)\"",
                    hint: hint(),
                    isAbsence: true
                )
            }
            let value = try await use(response)
            try? await client.shutdown()
            return value
        } catch let failure as Failure {
            try? await client.shutdown()
            throw failure
        } catch {
            try? await client.shutdown()
            throw Failure(
                "the centre on \"\(socket)\" ended in the middle of its answer",
                hint: "look whether it was done, and ask again",
                isAbsence: true
            )
        }
    }

    /// The language of the environment as a header has it.
    package static var language: String {
        let environment = ProcessInfo.processInfo.environment
        let name = environment["LC_ALL"] ?? environment["LC_MESSAGES"] ?? environment["LANG"] ?? ""
        let tag = name.prefix { $0 != "." && $0 != "@" }.replacing("_", with: "-")
        let isPlain = tag.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        return !isPlain || tag.isEmpty || tag == "C" || tag == "POSIX" ? "en" : String(tag)
    }
}
