// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Logging
import NotificationPayload

/// A push as its user would have seen it, where its time went, and what the extension said.
struct NotificationView {
    private static let width = 60

    private let result: RunResult
    private let app: AppConfiguration
    private let expectation: Expectation

    private var record: DeliveryRecord { result.record }

    init(_ result: RunResult, app: AppConfiguration, expectation: Expectation) {
        self.result = result
        self.app = app
        self.expectation = expectation
    }

    var text: String {
        (banner + [""] + verdict + timeLine + attachments + log + advice + [""]).joined(separator: "\n")
    }

    // MARK: what the user sees

    private var banner: [String] {
        if case .suppressed = record.outcome { return ["  (nothing is shown)"] }
        let alert = record.payload.aps?["alert"]
        let texts =
            alert?.string.map { [$0] }
            ?? ["title", "subtitle", "body"].compactMap { alert?.object?[$0]?.string }
        let lines = texts.filter { !$0.isEmpty }.flatMap { wrapped($0.printable) }
        let inner = Self.width - 4
        let head = Self.padded(app.topic.printable, badge, to: inner)
        let rows = [head] + (lines.isEmpty ? ["(no text)"] : lines)
        return ["  ╭" + String(repeating: "─", count: inner + 2) + "╮"]
            + rows.map { "  │ " + $0 + String(repeating: " ", count: max(0, inner - $0.columns)) + " │" }
            + ["  ╰" + String(repeating: "─", count: inner + 2) + "╯"]
    }

    private var badge: String {
        record.payload.aps?["badge"]?.integer.map { "badge \($0)" } ?? ""
    }

    private static func padded(_ left: String, _ right: String, to width: Int) -> String {
        left + String(repeating: " ", count: max(1, width - left.columns - right.columns)) + right
    }

    /// Broken at spaces where that fits, at any character where it does not.
    private func wrapped(_ text: String) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            var word = String(word)
            let last = lines[lines.count - 1]
            if !last.isEmpty, last.columns + 1 + word.columns <= Self.width - 4 {
                lines[lines.count - 1] += " " + word
                continue
            }
            if !last.isEmpty { lines.append("") }
            while word.columns > Self.width - 4 {
                var part = ""
                while let next = word.first, (part + String(next)).columns <= Self.width - 4 {
                    part.append(word.removeFirst())
                }
                lines[lines.count - 1] = part
                lines.append("")
            }
            lines[lines.count - 1] = word
        }
        return lines
    }

    // MARK: what happened

    private var verdict: [String] {
        var words = [record.outcome.name]
        if let reason = record.reason { words.append(reason) }
        if case .original(.failed(.crashed(let signal))) = record.outcome { words.append("signal \(signal)") }
        if record.outcome == .modified(late: true) { words.append("late: it answered the last call") }
        if let worker = record.worker {
            words.append(worker.fresh ? "fresh process" : "warm process")
            if let sandbox = worker.sandbox { words.append("sandbox \(sandbox)") }
        }
        let mark = expectation.isMet(by: record) ? "✓" : "✗"
        return ["  \(mark) " + words.joined(separator: " · ")]
    }

    /// The steps on which the time was spent, as shares of the whole, and what was used of the limits.
    private var timeLine: [String] {
        let total = record.timings.total
        var steps: [(String, Duration)] = []
        if let open = record.timings.open { steps.append(("opened", open)) }
        if let wait = record.timings.wait { steps.append(("waited for a worker", wait)) }
        let budget = "  of \(HumanText.time(app.budget))"
        if let taken = record.timings.extension { steps.append(("extended", taken)) }
        var lines = steps.map { name, duration in
            let share = total > .zero ? duration / total : 0
            let bar = String(repeating: "█", count: max(1, Int((share * 20).rounded())))
            let limit = name == "extended" ? budget : ""
            return "    " + Self.padded(name, HumanText.time(duration), to: 34) + "  " + bar + limit
        }
        lines.append("    " + Self.padded("in all", HumanText.time(total), to: 34))
        if let peak = record.worker?.peakMemoryByteCount {
            let limit = "  of \(HumanText.size(app.memoryLimitByteCount))"
            lines.append("    " + Self.padded("largest memory", HumanText.size(peak), to: 34) + limit)
        }
        return lines
    }

    private var attachments: [String] {
        record.attachments.kept.map {
            "    attached \($0.identifier.printable), \($0.type.printable), \(HumanText.size(UInt64(max(0, $0.byteCount))))"
        }
            + record.attachments.refused.map {
                "    not attached \($0.identifier.printable): \($0.reason.rawValue)"
            }
    }

    private var log: [String] {
        var lines = result.lines.map { line in
            "    " + (line.isOutput ? "print" : line.level.rawValue) + "  " + line.text.printable
        }
        if result.droppedLineCount > 0 { lines.append("    and \(result.droppedLineCount) lines more") }
        return lines.isEmpty ? [] : ["  the extension said"] + lines
    }

    /// The next step when the extension failed, and nobody has said that it should.
    private var advice: [String] {
        guard case .original(.failed(let failure)) = record.outcome, !expectation.isMet(by: record) else { return [] }
        return ["  what to look at"] + FailureAdvice(failure, app: app).lines.map { "    " + $0 }
    }
}

extension String {
    /// Without what would move a terminal's cursor, change its colours, turn its line or not be seen: a control
    /// character is a space, the others are spelt out.
    ///
    /// Scalars that join the parts of one emoji stay: without them the picture would show other signs than a phone.
    fileprivate var printable: String {
        reduce(into: "") { text, character in
            let isEmoji = character.unicodeScalars.first?.properties.isEmoji == true
            for scalar in character.unicodeScalars {
                if scalar.properties.generalCategory == .control {
                    text += " "
                } else if scalar.isHidden, !(isEmoji && scalar.joinsEmoji) {
                    text += scalar.spelledOut
                } else {
                    text.unicodeScalars.append(scalar)
                }
            }
        }
    }

    /// The number of a terminal's columns that the text takes, as far as the properties of its characters say.
    fileprivate var columns: Int {
        reduce(0) { width, character in
            guard let scalar = character.unicodeScalars.first else { return width }
            let isWide =
                scalar.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}")
                || (0x1100...0x115F).contains(scalar.value) || (0x2E80...0xA4CF).contains(scalar.value)
                || (0xAC00...0xD7A3).contains(scalar.value) || (0xF900...0xFAFF).contains(scalar.value)
                || (0xFE30...0xFE6F).contains(scalar.value) || (0xFF00...0xFF60).contains(scalar.value)
                || (0x20000...0x3FFFD).contains(scalar.value)
            return width + (isWide ? 2 : 1)
        }
    }
}

extension Unicode.Scalar {
    /// The joiner, the selectors of a presentation, and the tags of a flag.
    fileprivate var joinsEmoji: Bool {
        value == 0x200D || value == 0xFE0E || value == 0xFE0F || (0xE0020...0xE007F).contains(value)
    }
}
