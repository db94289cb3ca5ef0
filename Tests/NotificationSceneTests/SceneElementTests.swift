// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import NotificationScene
import SceneModel
import Testing

/// Each element with what it takes and shows, and with values that no scene may have.
@MainActor
@Suite struct SceneElementTests {
    fileprivate struct Form {
        var name = "Alice"
        var note = ""
        var count = 2.0
        var choice: Int? = 9
        var moment = Date(timeIntervalSince1970: 60)
        var isOn = true
    }

    private struct Fields: NotificationScene {
        @State var form = Form()
        @State var submitted = 0

        func body(_ content: UNNotificationContent, _ view: ViewContext) -> some SceneContent {
            Column {
                TextField("Name", text: $form.name, keyboard: .email) { submitted += 1 }
                TextEditor("Note", text: $form.note)
                Stepper(value: $form.count, in: 0...3)
                Segments(["A", "B"], chosen: $form.choice)
                DatePicker(selection: $form.moment, in: .distantPast ... .distantFuture, components: .time)
                Toggle("On", isOn: $form.isOn, color: .green)
                Text("\(form.name) \(submitted) \(form.count)").underline().strikethrough().color(.red)
                Text("tap").onTap { form.name = "tapped" }.onLongPress { form.name = "held" }
                Spinner()
            }
        }
    }

    @Test func `each control hands on what a person chooses`() throws {
        let bench = SceneBench(Fields())
        let field = try bench.node(.field)
        #expect(field.kind == .field(SceneField(value: "Alice", placeholder: "Name", keyboard: .email)))
        #expect(try bench.node(.segments).kind == .segments(SceneSegments(titles: ["A", "B"])))
        for (kind, value) in [
            (.field, .text("Bob")), (.editor, .text("two\nlines")), (.stepper, .number(3)), (.segments, .number(1)),
            (.date, .number(120_500)), (.switch, .flag(false)),
        ] as [(SceneKind.Name, SceneValue)] {
            let id = try bench.node(kind).id
            try bench.tree.judge(.value(value), of: id)
            let update = try #require(bench.take(.node(id, .value(value))))
            #expect(update.set.contains { $0.id == id })
        }
        #expect(try bench.node(.editor).kind.writtenText == "two\nlines")
        #expect(try bench.node(.segments).kind == .segments(SceneSegments(titles: ["A", "B"], chosen: 1)))
        let date = SceneDate(
            value: 120_500,
            mode: .time,
            minimum: -62_135_596_800_000,
            maximum: 64_092_211_200_000
        )
        #expect(try bench.node(.date).kind == .date(date))
        bench.take(.node(field.id, .submit))
        #expect(bench.texts.contains("Bob 1 3.0"))
        let tapped = try bench.node(.text, 1)
        #expect(tapped.isTappable && tapped.isHoldable)
        bench.take(.node(tapped.id, .tap(at: nil)))
        #expect(bench.texts.contains("tapped 1 3.0"))
        bench.take(.node(tapped.id, .longPress(at: nil)))
        #expect(bench.texts.contains("held 1 3.0"))
    }

    private struct Odd: NotificationScene {
        let number: Double

        private func long(_ letter: String) -> String { String(repeating: letter, count: 9_000) }

        func body(_ content: UNNotificationContent, _ view: ViewContext) -> some SceneContent {
            Column(spacing: number, padding: -number) {
                Slider(value: .constant(number), in: -1e9...1e9, step: number)
                Slider(value: .constant(number), in: 2...2)
                Stepper(value: .constant(-number), in: 0...3, step: number)
                ProgressBar(value: number)
                DatePicker(selection: .constant(Date(timeIntervalSince1970: number)))
                Image(symbol: "no name").frame(width: number, height: -number).cornerRadius(number)
                Text(long("é")).opacity(number).grow(number).border(.red, width: number)
                Text(String(repeating: "line\r\n", count: 600)).font(.system(size: number)).label(long("l"))
                Segments(Array(repeating: long("s"), count: 20), chosen: .constant(19))
                TextField(long("p"), text: .constant(long("v"))).label(long("l"))
                Button(long("b"), symbol: "") {}.color(Color.blue.opacity(number))
            }.background(Color(hex: 0xFFFF_FFFF).opacity(number))
        }
    }

    /// The bench refuses whatever a host would refuse.
    @Test(arguments: [.nan, .infinity, -.infinity, 0, -0.0, 1e300, -1, 4_096.5] as [Double])
    func `no value leads to a scene that a host refuses`(number: Double) throws {
        let bench = SceneBench(Odd(number: number))
        #expect(bench.updates.count == 1)
        #expect(bench.faults == [])
        #expect(try bench.node(.image).kind == .image(SceneImage(symbol: "square", fit: .contain)))
        let texts = bench.texts.filter { $0.hasPrefix("é") || $0.hasPrefix("line") }
        #expect(texts.map(\.utf8.count) == [7_791, 1_997])
        #expect(texts.allSatisfy { $0.hasSuffix("…") })
    }

    private struct Message: NotificationScene {
        func body(_ content: UNNotificationContent, _ view: ViewContext) -> some SceneContent {
            Column {
                Text(content.title)
                Text(content.subtitle)
                Text(content.body)
                Text("behind")
            }
        }
    }

    /// Whoever sends a message ends no view by what is in it.
    @Test(arguments: [
        "\n", "\r\n", "\r", "\u{0B}", "\u{85}", "\u{2028}", "\u{1}", "\"", "\\", "x", "\u{1F468}\u{200D}\u{1F469}",
    ])
    func `no text is beyond a limit`(unit: String) throws {
        let long: JSON = .string("a" + String(repeating: unit, count: 20_000))
        let bench = SceneBench(
            Message(),
            payload: ["aps": ["alert": ["title": long, "subtitle": long, "body": long]]]
        )
        #expect(bench.faults == [])
        #expect(bench.texts.count == 4)
        #expect(bench.texts.first?.hasPrefix("a") == true)
        #expect(bench.texts.last == "behind")
    }

    private struct Writing: NotificationScene {
        @State var text: String
        @State var digits = "12"
        @State var number = 5e5

        func body(_ content: UNNotificationContent, _ view: ViewContext) -> some SceneContent {
            TextEditor("Note", text: $text).label("Note")
            TextField(
                "PIN",
                text: Binding {
                    digits
                } set: {
                    digits = $0.filter(\.isNumber)
                }
            )
            Slider(value: $number, in: 0...1e6)
            Row { Toggle("Off", isOn: .constant(false)).onTap { text = "" } }.disabled()
        }
    }

    @Test func `what a person may write is shown whole, and what is longer cannot be changed`() throws {
        let bench = SceneBench(Writing(text: ""))
        let editor = try bench.node(.editor)
        let longest = String(repeating: "x", count: 8_192 - 8)
        try bench.tree.judge(.value(.text(longest)), of: editor.id)
        bench.take(.node(editor.id, .value(.text(longest))))
        #expect(try bench.node(.editor).kind.writtenText == longest)
        let loaded = SceneBench(Writing(text: longest + "y"))
        let dead = try loaded.node(.editor)
        #expect(dead.kind.isDisabled == true)
        #expect(dead.kind.writtenText?.hasSuffix("x…") == true)
        #expect(try loaded.node(.slider).kind.isDisabled == true)
        let toggle = try loaded.node(.switch)
        #expect(toggle.kind.isDisabled == true && !toggle.isTappable)
    }

    @Test func `a value that the author does not take over changes no node`() throws {
        let bench = SceneBench(Writing(text: ""))
        let field = try bench.node(.field).id
        #expect(bench.take(.node(field, .value(.text("12b")))) == SceneUpdate(acknowledged: 1))
    }

    @Test func `a colour is one for each scheme`() {
        #expect(Color(hex: 0x112233) == Color(hex: 0x112233, dark: 0x112233))
        #expect(Color(hex: 0x112233).opacity(0.5) != Color(hex: 0x112233))
        #expect(Color.white.opacity(.nan) == Color.white.opacity(0))
    }
}
