// SPDX-License-Identifier: Apache-2.0

private import CenterProtocol
private import UserNotificationCenter

/// Feeds hostile formats, names and members to the summary of a stack, and holds it against a plainer writer.
///
/// Source: center.md §10.
public enum SummaryCheck {
    /// Reads one stack, whatever it is; one of at least two members is taken.
    public static func check(_ bytes: [UInt8]) -> Verdict {
        Verdict { () throws(BrokenPromise) in
            guard let script = SummaryScript(bytes) else { return 0 }
            guard let categories = try? CategorySet(script.categories) else { return 0 }
            try checkLanguage(script.acceptLanguage ?? "")
            for language in SummaryLanguage.allCases {
                try checkSummary(script, categories, language)
                try checkHidden(script, categories, language)
            }
            return script.members.count > 1 ? 1 : 0
        }
    }

    private static func checkSummary(
        _ script: SummaryScript,
        _ categories: CategorySet,
        _ language: SummaryLanguage
    ) throws(BrokenPromise) {
        let members = script.members.map { member in
            StackSummary.Member(category: member.category, argument: member.argument, count: member.count)
        }
        let text = StackSummary(members, categories: categories).text(in: language)
        try expect(
            (text == nil) == (members.count < 2),
            "a stack has a summary if something lies behind its leading one"
        )
        guard let text else { return }
        try expect(text.utf8.count <= 4096, "a summary has 4,096 bytes at most")
        let plain = NaiveSummary(script, language).texts
        try expect(plain.contains { isSame(text, $0) }, "a summary says what a plainer writer says")
    }

    private static func checkHidden(
        _ script: SummaryScript,
        _ categories: CategorySet,
        _ language: SummaryLanguage
    ) throws(BrokenPromise) {
        let preview = HiddenPreview(
            memberCategories: script.members.map(\.category),
            categories: categories,
            language: language
        )
        try expect(preview.placeholder.utf8.count <= 4096, "a placeholder has 4,096 bytes at most")
        guard let plain = NaiveSummary(script, language).hidden else { return }
        try expect(isSame(preview.placeholder, plain), "a placeholder says what a plainer writer says")
    }

    /// Tells whether a text is another one, or its beginning and "…" where that is too long.
    private static func isSame(_ text: String, _ whole: String) -> Bool {
        guard whole.utf8.count > 4096 else { return text.utf8.elementsEqual(whole.utf8) }
        // A scalar of four bytes may have no room beside the mark.
        guard text.hasSuffix("…"), text.utf8.count > 4096 - 4 else { return false }
        return whole.utf8.starts(with: text.utf8.dropLast("…".utf8.count))
    }

    /// Holds the choice of a language against what must be in the header for it.
    private static func checkLanguage(_ header: String) throws(BrokenPromise) {
        let ascii = header.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        for owner in [nil, "es-MX", "fr"] {
            let language = SummaryLanguage(acceptLanguage: header, owner: owner)
            let isNamed = ascii.indices.contains { ascii[$0...].starts(with: language.rawValue.utf8) }
            let isOwners = owner.flatMap { SummaryLanguage(tag: $0) } == language
            try expect(language == .english || isNamed || isOwners, "a language is the reader's or the owner's")
            guard ascii.count < 1000, ascii.count(where: { $0 == UInt8(ascii: ",") }) < 30 else { continue }
            let longer = header + ", de;q=0, , pt;q=0.0"
            try expect(
                SummaryLanguage(acceptLanguage: longer, owner: owner) == language,
                "a language without weight is none"
            )
        }
    }
}
