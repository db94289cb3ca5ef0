// SPDX-License-Identifier: Apache-2.0

/// The keys of a watching person, byte by byte as a terminal sends them.
struct WatchKeys {
    /// A wish that keys express.
    enum Wish: Equatable {
        /// The action of a number from 1 to 9, or with 0 the click on the notification itself.
        case act(Int)
        case dismiss, undo, quiet, older, newer, help, end
        /// The line that was asked for; `nil` means that it was given up.
        case text(String?)
        /// The text that is typed so far, to be shown.
        case typing(String)
    }

    /// A reply that an app takes, as the centre bounds it.
    private static let textLimit = 16 << 10

    /// The bytes of the line that is typed; `nil` while single keys are read.
    private var line: [UInt8]?
    /// An arrow's three bytes begin with it.
    private var escape: [UInt8] = []

    /// The bytes that come next are a line of text.
    mutating func askForText() {
        line = []
    }

    /// Returns the wish that the byte completes.
    mutating func take(_ byte: UInt8) -> Wish? {
        if !escape.isEmpty || byte == 0x1B {
            let wish = takeEscape(byte)
            return line == nil ? wish : nil
        }
        if line != nil { return type(byte) }
        switch byte {
        case UInt8(ascii: "1")...UInt8(ascii: "9"): return .act(Int(byte - UInt8(ascii: "0")))
        case 0x0A, 0x0D: return .act(0)
        case UInt8(ascii: "x"): return .dismiss
        case UInt8(ascii: "u"): return .undo
        case UInt8(ascii: "z"): return .quiet
        case UInt8(ascii: "k"): return .older
        case UInt8(ascii: "j"): return .newer
        case UInt8(ascii: "?"), UInt8(ascii: "h"): return .help
        // Control-C and control-D: the terminal makes no signals of keys meanwhile.
        case UInt8(ascii: "q"), 0x03, 0x04: return .end
        default: return nil
        }
    }

    private mutating func takeEscape(_ byte: UInt8) -> Wish? {
        escape.append(byte)
        guard escape.count == 3 else {
            // Anything but the beginning of an arrow is a key of its own.
            if escape.count == 2, byte != UInt8(ascii: "["), byte != UInt8(ascii: "O") { escape = [] }
            return nil
        }
        defer { escape = [] }
        switch byte {
        case UInt8(ascii: "A"): return .older
        case UInt8(ascii: "B"): return .newer
        default: return nil
        }
    }

    private mutating func type(_ byte: UInt8) -> Wish? {
        guard var typed = line else { return nil }
        switch byte {
        case 0x0A, 0x0D:
            line = nil
            return .text(String(decoding: typed, as: UTF8.self))
        case 0x03, 0x04:
            line = nil
            return .text(nil)
        case 0x7F, 0x08: typed = Array(String(decoding: typed, as: UTF8.self).dropLast().utf8)
        case 0x15: typed = []
        case 0x00..<0x20: return nil
        default:
            guard typed.count < Self.textLimit else { return nil }
            typed.append(byte)
        }
        line = typed
        // The bytes of one character come one after the other.
        return String(validating: typed, as: UTF8.self).map(Wish.typing)
    }
}
