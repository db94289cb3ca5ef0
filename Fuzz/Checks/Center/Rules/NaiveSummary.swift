// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import UserNotificationCenter

/// The text below a stack, written without a thought for time or length.
///
/// Source: center.md §10.
struct NaiveSummary {
    private let script: SummaryScript
    private let language: SummaryLanguage

    init(_ script: SummaryScript, _ language: SummaryLanguage) {
        self.script = script
        self.language = language
    }

    /// The texts of which the summary is one: Spanish has two words for "and", and which one is a matter of sound.
    var texts: [String] {
        (language == .spanish ? [" y ", " e "] : [language == .english ? " and " : " e "]).map(text)
    }

    private func text(_ and: String) -> String {
        let behind = script.members.dropLast()
        let number = behind.reduce(0) { $0 + Self.count($1) }
        let isOne = Set(script.members.map { category($0.category) }).count == 1
        let own = format(of: script.members.last?.category ?? "")
        if isOne, let own, !own.contains(.names) || !names.isEmpty {
            return Self.fill(own, number, list(names, and))
        }
        if isOne || !names.isEmpty { return more(number, isFirst: true) + from(and) }
        var shares: [(format: [Token]?, count: Int)] = []
        for member in behind {
            let whole = format(of: member.category)
            let format = whole?.contains(.names) == true ? nil : whole
            if let place = shares.firstIndex(where: { $0.format == format }) {
                shares[place].count += Self.count(member)
            } else {
                shares.append((format, Self.count(member)))
            }
        }
        let parts = shares.enumerated().map { place, share in
            share.format.map { Self.fill($0, share.count, "") } ?? more(share.count, isFirst: place == 0)
        }
        return join(parts, and)
    }

    /// The text in the place of hidden ones; `nil` means that this writer has none of its own.
    var hidden: String? {
        let names = Set(script.members.map { category($0.category) })
        guard names.count == 1, let name = names.first ?? nil, let place = Int(name),
            script.categories.indices.contains(place), "\(place)" == name,
            let text = script.categories[place].hiddenPreviewsBodyPlaceholder, !text.isEmpty
        else { return nil }
        return Self.fill(Self.tokens(text), script.members.count, "")
    }

    // MARK: Names and numbers

    private static func count(_ member: SummaryScript.Member) -> Int { min(max(member.count, 1), Int(Int32.max)) }

    /// A name that may be a category's; `nil` means none.
    private func category(_ name: String) -> String? { (1...256).contains(name.utf8.count) ? name : nil }

    private var names: [String] {
        var names: [[UInt8]] = []
        for member in script.members where !names.contains(Array(member.argument.utf8)) {
            names.append(Array(member.argument.utf8))
        }
        return names.filter { !$0.isEmpty }.map { bytes in
            guard bytes.count > 256 else { return String(decoding: bytes, as: UTF8.self) }
            var cut = bytes.prefix(253)
            while String(validating: cut, as: UTF8.self) == nil { cut = cut.dropLast() }
            return String(decoding: cut, as: UTF8.self) + "…"
        }
    }

    private func more(_ count: Int, isFirst: Bool) -> String {
        switch language {
        case .english: "\(count) more notification" + (count == 1 ? "" : "s")
        case .spanish: "\(count) " + (count == 1 ? "notificación" : "notificaciones") + " más"
        case .portuguese: (isFirst ? "M" : "m") + "ais \(count) " + (count == 1 ? "notificação" : "notificações")
        }
    }

    private func from(_ and: String) -> String {
        names.isEmpty ? "" : (language == .english ? " from " : " de ") + list(names, and)
    }

    private func list(_ names: [String], _ and: String) -> String {
        guard names.count > 3 else { return join(names, and) }
        let others = names.count - 2
        let rest =
            switch language {
            case .english: "\(others) others"
            case .spanish: "\(others) más"
            case .portuguese: "mais \(others)"
            }
        return join(names.prefix(2) + [rest], and)
    }

    private func join(_ parts: [String], _ and: String) -> String {
        guard parts.count > 1 else { return parts.first ?? "" }
        let comma = language == .english && parts.count > 2 ? "," : ""
        return parts.dropLast().joined(separator: ", ") + comma + and + parts[parts.count - 1]
    }

    // MARK: Formats

    private enum Token: Equatable { case byte(UInt8), number, names }

    private func format(of name: String) -> [Token]? {
        guard let place = Int(name), "\(place)" == name, script.categories.indices.contains(place),
            let text = script.categories[place].summaryFormat, !text.isEmpty
        else { return nil }
        return Self.tokens(text)
    }

    private static func tokens(_ text: String) -> [Token] {
        let marks: [(String, Token)] = [
            ("%%", .byte(UInt8(ascii: "%"))), ("%u", .number), ("%1$u", .number), ("%@", .names), ("%2$@", .names),
        ]
        var rest = Array(text.utf8)[...]
        var tokens: [Token] = []
        while let byte = rest.first {
            let mark = marks.first { rest.starts(with: $0.0.utf8) }
            tokens.append(mark?.1 ?? .byte(byte))
            rest = rest.dropFirst(mark?.0.utf8.count ?? 1)
        }
        return tokens
    }

    private static func fill(_ tokens: [Token], _ number: Int, _ names: String) -> String {
        var bytes: [UInt8] = []
        for token in tokens {
            switch token {
            case .byte(let byte): bytes.append(byte)
            case .number: bytes += "\(number)".utf8
            case .names: bytes += names.utf8
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
