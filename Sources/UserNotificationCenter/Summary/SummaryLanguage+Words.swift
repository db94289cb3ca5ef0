// SPDX-License-Identifier: Apache-2.0

extension SummaryLanguage {
    /// Names that are listed one by one; of more, the first two are, and the rest are counted.
    static let nameLimit = 3

    /// The summary of a stack for which no category has a text of its own: "5 more notifications from Alice and Me".
    ///
    /// `isPart` says that other words stand before it.
    func moreNotifications(_ count: Int, from names: [String] = [], isPart: Bool = false) -> String {
        let isOne = count == 1
        let text =
            switch self {
            case .english: "\(count) more \(isOne ? "notification" : "notifications")"
            case .spanish: "\(count) \(isOne ? "notificación" : "notificaciones") más"
            case .portuguese: "\(isPart ? "mais" : "Mais") \(count) \(isOne ? "notificação" : "notificações")"
            }
        guard !names.isEmpty else { return text }
        return text + (self == .english ? " from " : " de ") + list(names: names)
    }

    /// The text in the place of notifications whose previews are hidden: "9 notifications".
    func hiddenNotifications(_ count: Int) -> String {
        switch self {
        case .english: count == 1 ? "Notification" : "\(count) notifications"
        case .spanish: count == 1 ? "Notificación" : "\(count) notificaciones"
        case .portuguese: count == 1 ? "Notificação" : "\(count) notificações"
        }
    }

    /// Lists names: all of three at most, otherwise the first two and the number of the others.
    func list(names: [String]) -> String {
        guard names.count > Self.nameLimit else { return list(names) }
        let others = names.count - 2
        let rest =
            switch self {
            case .english: "\(others) others"
            case .spanish: "\(others) más"
            case .portuguese: "mais \(others)"
            }
        return list([names[0], names[1], rest])
    }

    /// Joins parts into one: "A", "A and B", "A, B, and C".
    func list(_ parts: [String]) -> String {
        guard parts.count > 1, let last = parts.last else { return parts.first ?? "" }
        let head = parts.dropLast().joined(separator: ", ")
        return switch self {
        case .english: head + (parts.count > 2 ? ", and " : " and ") + last
        case .spanish: head + (Self.beginsLikeI(last) ? " e " : " y ") + last
        case .portuguese: head + " e " + last
        }
    }

    /// Tells whether Spanish says "e" instead of "y" before a word: before i- and hi-, and not before hie-.
    ///
    /// Source: Real Academia Española, "Diccionario panhispánico de dudas", "y".
    private static func beginsLikeI(_ word: String) -> Bool {
        var scalars = word.unicodeScalars[...]
        guard let first = scalars.popFirst() else { return false }
        if isI(first) { return true }
        guard first == "h" || first == "H", let second = scalars.popFirst(), isI(second) else { return false }
        // A decomposed accent on the i stands between the i and the next letter.
        let next = scalars.first { !(0x300...0x36F).contains($0.value) }
        return next.map { !"eEéÉèÈêÊëË".unicodeScalars.contains($0) } ?? true
    }

    private static func isI(_ scalar: Unicode.Scalar) -> Bool { "iIíÍìÌîÎïÏ".unicodeScalars.contains(scalar) }
}
