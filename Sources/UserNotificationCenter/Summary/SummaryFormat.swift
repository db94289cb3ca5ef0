// SPDX-License-Identifier: Apache-2.0

/// A category's own text for a number and names: "%u more messages from %@".
///
/// Only `%u`, `%@`, `%1$u`, `%2$@` and `%%` mean something, and everything else stands as it is. Foundation's formats
/// are no choice: the text is an app's, and `%s` beside a number would read memory that is not there.
/// Source: Apple, "UNNotificationCategory.categorySummaryFormat"; center.md §10.
struct SummaryFormat: Sendable, Equatable {
    private enum Piece: Sendable, Equatable {
        case literal([UInt8])
        case number
        case names
    }

    private let pieces: [Piece]

    /// `nil` means that there is no text: the default one is used.
    init?(_ text: String?) {
        guard let text, !text.isEmpty else { return nil }
        var (pieces, literal) = ([Piece](), [UInt8]())
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), let place = Self.place(reading: &rest) else {
                literal.append(byte)
                continue
            }
            if case .literal(let bytes) = place {
                literal += bytes
                continue
            }
            if !literal.isEmpty { pieces.append(.literal(literal)) }
            literal = []
            pieces.append(place)
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        self.pieces = pieces
    }

    /// True if the text has a place for names.
    var hasNames: Bool { pieces.contains(.names) }

    /// Puts number and names in their places, as the text they are: nothing inside them is a place.
    ///
    /// Ends at the first piece that goes beyond the longest summary, because an app may write `%@` many times.
    func text(number: Int, names: String) -> String {
        var text: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .literal(let bytes): text += bytes
            case .number: text += "\(number)".utf8
            case .names: text += names.utf8
            }
            guard text.count <= StackSummary.byteCountLimit else { break }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads what follows a percent sign; `nil` means that it is no place, and leaves it where it is.
    private static func place(reading rest: inout Substring.UTF8View) -> Piece? {
        let places: [(mark: String, piece: Piece)] = [
            ("%", .literal([UInt8(ascii: "%")])), ("u", .number), ("@", .names), ("1$u", .number), ("2$@", .names),
        ]
        guard let place = places.first(where: { rest.starts(with: $0.mark.utf8) }) else { return nil }
        rest = rest.dropFirst(place.mark.utf8.count)
        return place.piece
    }
}
