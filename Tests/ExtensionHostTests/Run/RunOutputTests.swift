// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Logging
import NotificationPayload
import Testing

@testable import ExtensionHost

/// The output of `run` for delivery records.
struct RunOutputTests {
    private static func record(
        _ outcome: Outcome,
        aps: JSONObject = ["alert": ["title": "Alice", "body": "Lunch?"]],
        milliseconds: Int = 10,
        peak: UInt64? = 2 << 20
    ) -> DeliveryRecord {
        DeliveryRecord(
            id: "1",
            topic: "com.example.chat",
            identifier: "1",
            date: Date(timeIntervalSince1970: 0),
            outcome: outcome,
            payload: Payload(["aps": .object(aps)]),
            timings: .init(
                open: .milliseconds(2),
                wait: .milliseconds(1),
                extension: .milliseconds(milliseconds - 3),
                total: .milliseconds(milliseconds)
            ),
            worker: WorkerUse(pid: 1, fresh: true, peakMemoryByteCount: peak, sandbox: "A2")
        )
    }

    private static func view(_ result: RunResult) -> String {
        NotificationView(result, app: .init(topic: "com.example.chat"), expectation: Expectation(nil)).text
    }

    @Test func `a notification is shown as its user would see it, with its times and the extension's words`() {
        var result = RunResult(name: "a", record: Self.record(.modified(late: false)))
        result.lines = [
            .init(level: .info, isOutput: false, text: "one"), .init(level: .debug, isOutput: true, text: "two"),
        ]
        #expect(
            Self.view(result) == """
                  ╭──────────────────────────────────────────────────────────╮
                  │ com.example.chat                                         │
                  │ Alice                                                    │
                  │ Lunch?                                                   │
                  ╰──────────────────────────────────────────────────────────╯

                  ✓ modified · fresh process · sandbox A2
                    opened                      2.0 ms  ████
                    waited for a worker         1.0 ms  ██
                    extended                    7.0 ms  ██████████████  of 30.0 s
                    in all                     10.0 ms
                    largest memory              2.0 MB  of 24.0 MB
                  the extension said
                    info  one
                    print  two

                """
        )
    }

    @Test func `what fails is marked, and says with which signal`() {
        let text = Self.view(RunResult(name: "a", record: Self.record(.original(.failed(.crashed(signal: 11))))))
        #expect(text.contains("  ✗ original · crashed · signal 11 · fresh process · sandbox A2\n"))
    }

    @Test func `what fails without being expected to has a next step behind the extension's words`() throws {
        var result = RunResult(name: "a", record: Self.record(.original(.failed(.crashed(signal: 4)))))
        result.lines = [.init(level: .info, isOutput: true, text: "Fatal error: nil")]
        let place = try #require(FailureAdvice.place(of: .language))
        let advice = """
              the extension said
                print  Fatal error: nil
              what to look at
                Swift stopped it, as at a nil that is unwrapped by force, and says the line above; what differs from a \
            phone is mostly a value that Linux lacks
                what Linux lacks: \(place)

            """
        #expect(Self.view(result).hasSuffix("\n" + advice), "\(Self.view(result))")
        let expected = NotificationView(
            result,
            app: .init(topic: "com.example.chat"),
            expectation: Expectation("crashed")
        ).text
        #expect(!expected.contains("what to look at"))
    }

    @Test func `nothing is shown of what is suppressed`() {
        #expect(
            Self.view(RunResult(name: "a", record: Self.record(.suppressed(.filtered)))).hasPrefix(
                "  (nothing is shown)"
            )
        )
    }

    @Test func `long texts, wide characters and control characters keep the frame whole`() {
        let texts: JSONObject = [
            "title": .string(String(repeating: "word ", count: 30)),
            "subtitle": .string(String(repeating: "x", count: 200)),
            "body": "日本語 👍 é \u{1B}[31mred\u{7}",
        ]
        let text = Self.view(
            RunResult(name: "a", record: Self.record(.modified(late: false), aps: ["alert": .object(texts)]))
        )
        let frame = text.split(separator: "\n").prefix { !$0.contains("✓") }
        #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
        for line in frame where line.hasPrefix("  │") && !line.contains("日") { #expect(line.count == 62, "\(line)") }
        #expect(frame.contains { $0.contains("日本語 👍 é  [31mred ") && $0.hasSuffix(" │") })
    }

    @Test func `no scalar that turns, ends or hides a line gets into the picture`() {
        // Every plane's control and format characters, bidirectional ones, fillers, selectors, tags, noncharacters.
        let hidden = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init).filter(\.isHidden)
        for named: ClosedRange<UInt32> in [
            0x00...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x61C...0x61C, 0x180E...0x180E, 0x200B...0x200F, 0x2028...0x202E,
            0x2060...0x206F, 0x3164...0x3164, 0xFE00...0xFE0F, 0xFEFF...0xFEFF, 0xFFF9...0xFFFB, 0xFFFE...0xFFFF,
            0xE0000...0xE007F, 0xE0100...0xE01EF,
        ] {
            for value in named { #expect(Unicode.Scalar(value)?.isHidden == true, "\(String(value, radix: 16))") }
        }
        for scalar in hidden {
            let text = JSON.string("a\(scalar)b")
            var result = RunResult(
                name: "a",
                record: Self.record(.modified(late: false), aps: ["alert": ["title": text, "body": text]])
            )
            result.lines = [.init(level: .info, isOutput: false, text: "a\(scalar)b")]
            let shown = NotificationView(
                result,
                app: .init(topic: "com.\(scalar)"),
                expectation: Expectation(nil)
            ).text
            #expect(!shown.unicodeScalars.contains { $0.isHidden && $0 != "\n" }, "\(String(scalar.value, radix: 16))")
        }
        let turned = Self.record(.modified(late: false), aps: ["alert": "pay \u{202E}001\u{202C} \u{2066}x\u{2069}"])
        #expect(
            Self.view(RunResult(name: "a", record: turned)).contains(
                "│ pay \\u{202e}001\\u{202c} \\u{2066}x\\u{2069}"
            )
        )
    }

    @Test(arguments: ["👨‍👩‍👧", "❤️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "naïve", "日本語", "مرحبا", "שלום"])
    func `what joins an emoji stays in the picture, and letters of every script`(text: String) {
        let record = Self.record(.modified(late: false), aps: ["alert": .string(text)])
        #expect(Self.view(RunResult(name: "a", record: record)).contains("│ \(text) "))
    }

    @Test(
        arguments: [
            (nil, .modified(late: false), true), (nil, .suppressed(.filtered), true),
            (nil, .suppressed(.expired), false),
            (nil, .opened, false), (nil, .original(.notMutable), false), ("modified", .modified(late: true), true),
            ("late", .modified(late: true), true), ("late", .modified(late: false), false),
            ("original", .original(.emptyContent), true), ("crashed", .original(.failed(.crashed(signal: 6))), true),
            ("crashed", .original(.failed(.exitedEarly)), false), ("replayed", .original(.refused(.replayed)), true),
            ("filtered", .suppressed(.filtered), true), ("suppressed", .suppressed(.expired), true),
        ] as [(String?, Outcome, Bool)]
    )
    func `an expectation is an outcome's name or a reason's`(name: String?, outcome: Outcome, isMet: Bool) {
        #expect(Expectation(name).isMet(by: Self.record(outcome)) == isMet)
    }

    @Test func `many pushes are a count by their end, and percentiles`() {
        let records =
            (1...100).map { Self.record(.modified(late: false), milliseconds: $0 + 2) }
            + [Self.record(.original(.failed(.budgetExceeded)), milliseconds: 2000, peak: 5 << 20)]
        #expect(
            RunSummary(records, expectation: Expectation(nil)).text == """
                101 pushes
                  100 modified
                  1 original · budgetExceeded
                  waiting for a worker: median 1.0 ms, p99 1.0 ms, largest 1.0 ms
                  in the extension: median 50.0 ms, p99 99.0 ms, largest 2.0 s
                  in all: median 53.0 ms, p99 102.0 ms, largest 2.0 s
                  memory: largest 5.0 MB
                  1 did not end with the extension's content

                """
        )
    }

    @Test func `a report for build servers escapes what a notification may hold`() throws {
        var good = RunResult(name: "a<b>&\"", record: Self.record(.modified(late: false)))
        good.lines = [.init(level: .info, isOutput: false, text: "]]> \u{1B}\u{0} <x>")]
        let bad = RunResult(name: "b", record: Self.record(.original(.failed(.budgetExceeded))))
        let xml = JUnitReport(suite: "com.example.chat", results: [good, bad], expectation: Expectation(nil)).xml
        #expect(xml.contains(#"tests="2" failures="1" errors="0" skipped="0" time="0.02">"#))
        #expect(xml.contains(#"name="a&lt;b&gt;&amp;&quot;""#))
        #expect(xml.contains("<system-out>]]&gt; ?? &lt;x&gt;</system-out>"))
        let failure = #"<failure message="ended in original, budgetExceeded, expected was the extension's content""#
        #expect(xml.contains(failure + #" type="budgetExceeded"/>"#))
    }

    @Test func `lines of an extension have a bound`() {
        let log = ExtensionLog(keepsLines: true)
        for _ in 0..<1005 { log.add(.init(level: .info, isOutput: false, text: "x")) }
        #expect(log.take().lines.count == 1000)
        log.add(.init(level: .info, isOutput: false, text: String(repeating: "x", count: 300 << 10)))
        let rest = log.take()
        #expect(rest.lines.isEmpty)
        #expect(rest.droppedCount == 1)
    }
}
