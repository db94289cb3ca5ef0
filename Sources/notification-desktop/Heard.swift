// SPDX-License-Identifier: Apache-2.0

import DesktopBus

/// A message of the bus as a value, as far as an agent reads messages.
enum Heard: Sendable, Equatable {
    /// The arguments of a message, by their types.
    enum Body: Sendable, Equatable {
        case number(UInt32)
        case numbers(UInt32, UInt32)
        case numberAndText(UInt32, String)
        case texts([String])
        case flag(Bool)
        case other
    }

    /// Texts of one message that are read.
    private static let textLimit = 256

    case answer(UInt64, Body)
    case refusal(UInt64)
    case signal(sender: String, name: String, Body)
    case other

    /// Reads a message; one that is malformed is an `other`.
    init(_ message: borrowing BusMessage) {
        switch message.kind {
        case .answer(let cookie): self = .answer(cookie, Self.body(of: message))
        case .refusal(let cookie): self = .refusal(cookie)
        case .signal:
            self = .signal(
                sender: message.sender,
                name: message.interface + "." + message.member,
                Self.body(of: message)
            )
        case .call, .other: self = .other
        }
    }

    private static func body(of message: borrowing BusMessage) -> Body {
        do {
            switch message.signature {
            case "u": return .number(try message.readUInt32())
            case "uu": return .numbers(try message.readUInt32(), try message.readUInt32())
            case "b": return .flag(try message.readFlag())
            case "v":
                guard case .flag(let flag)? = try message.readVariant() else { return .other }
                return .flag(flag)
            case "us": return .numberAndText(try message.readUInt32(), try message.readText())
            case "as": return .texts(try message.readTexts(limit: textLimit))
            case "s": return .texts([try message.readText()])
            case "sss": return .texts([try message.readText(), try message.readText(), try message.readText()])
            case "ssss":
                return .texts([
                    try message.readText(), try message.readText(), try message.readText(), try message.readText(),
                ])
            default: return .other
            }
        } catch {
            return .other
        }
    }
}
