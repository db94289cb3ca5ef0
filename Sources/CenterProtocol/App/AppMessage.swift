// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// A message of an app to the centre.
package enum AppMessage: Sendable, Equatable {
    case hello(AppHello)
    case call(id: UInt64, CenterCall)
    case presence(Presence)
    /// The ways in which the notification of the question is shown; none of them means that it is not.
    case present(id: UInt64, PresentationOptions)
    /// The app has dealt with a response.
    case completed(id: UInt64)
    /// The app has dealt with a silent push.
    case finished(id: UInt64, FetchResult)

    package var type: AppMessageType {
        switch self {
        case .hello: .hello
        case .call: .call
        case .presence: .presence
        case .present: .present
        case .completed: .completed
        case .finished: .finished
        }
    }

    /// The number of descriptors that travel with the message.
    package var descriptorCount: Int {
        if case .call(_, let call) = self { call.descriptorCount } else { 0 }
    }
}

/// The first message of an app.
package struct AppHello: Sendable, Equatable {
    package var bundleIdentifier: String
    /// The name that people read; `nil` means that the app says none.
    package var name: String?

    package init(bundleIdentifier: String, name: String? = nil) {
        self.bundleIdentifier = bundleIdentifier
        self.name = name
    }
}

/// The readiness of an app for what the centre may ask or tell.
package struct Presence: Sendable, Equatable {
    /// The user looks at the app.
    package var inFront: Bool
    /// A delegate is set.
    package var listens: Bool
    /// A handler of silent pushes is set.
    package var silent: Bool

    package init(inFront: Bool = false, listens: Bool = false, silent: Bool = false) {
        self.inFront = inFront
        self.listens = listens
        self.silent = silent
    }
}

/// The result of an app's work on a silent push.
///
/// Source: Apple, "UIBackgroundFetchResult".
package enum FetchResult: String, CaseIterable, Sendable {
    case newData, noData, failed
}

// MARK: Answers that no packet carries

extension PresentationOptions {
    /// Reads the answer to a question over HTTP: `options`; other members are ignored.
    package init(answer object: JSONObject) throws(MemberFault) {
        var members = Members(object, .lenient)
        self = try members.words("options")
    }
}

extension FetchResult {
    /// Reads the result of a silent push over HTTP: `result`; other members are ignored.
    package init(answer object: JSONObject) throws(MemberFault) {
        var members = Members(object, .lenient)
        self = try members.word("result")
    }
}

// MARK: Packets

extension AppMessage {
    package var packet: AppPacket {
        switch self {
        case .hello(let hello):
            var body: JSONObject = [
                "protocol": .integer(centerProtocolVersion), "bundleIdentifier": .string(hello.bundleIdentifier),
            ]
            body["name"] = hello.name.map(JSON.string)
            return AppPacket(.hello, body: body)
        case .call(let id, let call): return AppPacket(.call, id: id, body: call.body)
        case .presence(let presence):
            return AppPacket(
                .presence,
                body: [
                    "inFront": .bool(presence.inFront), "listens": .bool(presence.listens),
                    "silent": .bool(presence.silent),
                ]
            )
        case .present(let id, let options): return AppPacket(.present, id: id, body: ["options": options.json])
        case .completed(let id): return AppPacket(.completed, id: id)
        case .finished(let id, let result):
            return AppPacket(.finished, id: id, body: ["result": .string(result.rawValue)])
        }
    }

    /// Reads a packet of an app.
    init(_ packet: AppPacket) throws(AppViolation) {
        do throws(MemberFault) {
            var members = Members(packet.body, .strict)
            switch packet.type {
            case .hello:
                try packet.expectNoID()
                try members.version()
                self = .hello(
                    AppHello(
                        bundleIdentifier: try members.topic("bundleIdentifier"),
                        name: try members.optionalText("name", CenterNames.identifierByteCounts)
                    )
                )
            case .call: self = .call(id: packet.id, try CenterCall(&members, from: .socket))
            case .presence:
                try packet.expectNoID()
                self = .presence(
                    Presence(
                        inFront: try members.flag("inFront"),
                        listens: try members.flag("listens"),
                        silent: try members.flag("silent")
                    )
                )
            case .present: self = .present(id: packet.id, try members.words("options"))
            case .completed: self = .completed(id: packet.id)
            case .finished: self = .finished(id: packet.id, try members.word("result"))
            case .welcome, .rejected, .answer, .willPresent, .response, .silent, .token, .openSettings:
                throw .badID(packet.id)
            }
            try members.end()
        } catch {
            throw packet.type.isFromApp ? .member(packet.type, error) : .wrongDirection(packet.type)
        }
    }
}
