// SPDX-License-Identifier: Apache-2.0

/// The keys of a watching person, byte by byte as a terminal sends them.
///
/// Source: ECMA-48, 5.4, for the form of a sequence; xterm's control sequences for the arrows and the marks of a paste.
struct WatchKeys {
    /// A wish that keys express.
    enum Wish: Equatable {
        /// The action of a number from 1 to 9, or with 0 the click on the notification itself.
        case act(Int)
        case dismiss, dismissStack, undo, page, quiet, older, newer, help, end
        /// The line that was asked for; `nil` means that it was given up.
        case text(String?)
        /// The text that is typed so far, to be shown.
        case typing(String)
    }

    /// A place within a sequence that begins with the escape character.
    private enum Sequence {
        case none, escape, single
        /// The bytes between `ESC [` and the final one, as many as are looked at.
        case control([UInt8])
    }

    /// A reply that an app takes, as the centre bounds it.
    private static let textLimit = 16 << 10

    /// The bytes of the line that is typed; `nil` while single keys are read.
    private var line: [UInt8]?
    private var sequence = Sequence.none
    /// Between the marks of a paste nothing is a key.
    private var isPasting = false

    /// The bytes that come next are a line of text.
    mutating func askForText() {
        line = []
    }

    /// Returns the wish that the byte completes.
    mutating func take(_ byte: UInt8) -> Wish? {
        // Control-C is one wherever it comes.
        if byte == 0x03 { sequence = .none }
        switch sequence {
        case .none where byte == 0x1B: sequence = .escape
        case .none: return line == nil ? key(byte) : type(byte)
        case .escape:
            switch byte {
            case UInt8(ascii: "["): sequence = .control([])
            case UInt8(ascii: "O"): sequence = .single
            // A letter behind it is one that was pressed with Alt, which means nothing here.
            default: sequence = byte == 0x1B ? .escape : .none
            }
        case .single:
            sequence = .none
            return arrow(byte)
        case .control(let parameters):
            guard (0x40...0x7E).contains(byte) else {
                sequence = .control(Array((parameters + [byte]).prefix(8)))
                return nil
            }
            sequence = .none
            if parameters.isEmpty { return arrow(byte) }
            if byte == UInt8(ascii: "~"), parameters == Array("200".utf8) { isPasting = true }
            if byte == UInt8(ascii: "~"), parameters == Array("201".utf8) { isPasting = false }
        }
        return nil
    }

    private func arrow(_ byte: UInt8) -> Wish? {
        guard line == nil, !isPasting else { return nil }
        switch byte {
        case UInt8(ascii: "A"): return .older
        case UInt8(ascii: "B"): return .newer
        default: return nil
        }
    }

    private mutating func key(_ byte: UInt8) -> Wish? {
        if byte == 0x03 { return .end }
        guard !isPasting else { return nil }
        switch byte {
        case UInt8(ascii: "1")...UInt8(ascii: "9"): return .act(Int(byte - UInt8(ascii: "0")))
        case 0x0A, 0x0D: return .act(0)
        case UInt8(ascii: "x"): return .dismiss
        case UInt8(ascii: "X"): return .dismissStack
        case UInt8(ascii: "u"): return .undo
        case UInt8(ascii: "o"): return .page
        case UInt8(ascii: "z"): return .quiet
        case UInt8(ascii: "k"): return .older
        case UInt8(ascii: "j"): return .newer
        case UInt8(ascii: "?"), UInt8(ascii: "h"): return .help
        // Control-D: the terminal makes no end of a file of it meanwhile.
        case UInt8(ascii: "q"), 0x04: return .end
        default: return nil
        }
    }

    private mutating func type(_ byte: UInt8) -> Wish? {
        guard var typed = line else { return nil }
        switch byte {
        case 0x0A where isPasting, 0x0D where isPasting: typed.append(0x0A)
        case 0x0A, 0x0D:
            line = nil
            return .text(String(decoding: typed, as: UTF8.self))
        case 0x03, 0x04:
            line = nil
            return .text(nil)
        case 0x7F, 0x08: typed = Array(String(decoding: typed, as: UTF8.self).dropLast().utf8)
        case 0x15: typed = []
        case 0x00..<0x20: return nil
        default: typed.append(byte)
        }
        guard typed.count <= Self.textLimit else { return nil }
        line = typed
        // The bytes of one character come one after the other.
        return String(validating: typed, as: UTF8.self).map(Wish.typing)
    }
}
