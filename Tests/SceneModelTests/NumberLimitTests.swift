// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload
import Testing

@testable import SceneModel

/// Every number and every count of an update at its bound, and one step beyond.
struct NumberLimitTests {
    /// A body with `#` in the place of a number, the member whose number it is, and its bounds.
    struct Bound: CustomTestStringConvertible, Sendable {
        let body: String
        let member: String
        let range: ClosedRange<Double>
        var step = 0.5

        var testDescription: String { "\(member) in \(body)" }

        func update(_ number: Double) throws -> JSONObject {
            let text = number == number.rounded() ? "\(Int64(number))" : "\(number)"
            return try JSONObject(parsing: Array(body.replacing("#", with: text).utf8).span)
        }
    }

    private static func node(
        _ members: String,
        _ member: String,
        _ range: ClosedRange<Double>,
        by step: Double = 0.5
    )
        -> Bound
    {
        Bound(body: #"{"set":[{"id":1,"up":0,\#(members)}]}"#, member: "set.\(member)", range: range, step: step)
    }

    private static let number = -100_000.0...100_000.0

    static let bounds = [
        node(#""k":"view","f":[#,0,1,1]"#, "f", number), node(#""k":"view","f":[0,#,1,1]"#, "f", number),
        node(#""k":"view","f":[0,0,#,1]"#, "f", 0...100_000), node(#""k":"view","f":[0,0,1,#]"#, "f", 0...100_000),
        node(#""k":"view","a":#"#, "a", 0...1), node(#""k":"view","radius":#"#, "radius", 0...4_096),
        node(#""k":"view","t":[1,0,0,1,0,#]"#, "t", number), node(#""k":"view","t":[#,0,0,1,0,0]"#, "t", number),
        node(#""k":"view","grow":#"#, "grow", 0...100),
        node(#""k":"view","border":{"width":#,"color":1}"#, "border.width", 0...4_096),
        node(#""k":"view","shadow":{"x":#,"y":0,"blur":0,"color":1}"#, "shadow.x", number),
        node(#""k":"view","shadow":{"x":0,"y":#,"blur":0,"color":1}"#, "shadow.y", number),
        node(#""k":"view","shadow":{"x":0,"y":0,"blur":#,"color":1}"#, "shadow.blur", 0...4_096),
        node(#""k":"view","gradient":{"from":1,"to":2,"angle":#}"#, "gradient.angle", -360...360),
        node(#""k":"text","text":"a","font":{"size":#}"#, "font.size", 1...512),
        node(#""k":"text","text":"a","font":{"size":17,"weight":#}"#, "font.weight", 100...900, by: 1),
        node(#""k":"slider","value":#,"min":-100000,"max":100000"#, "value", number),
        node(#""k":"slider","value":100000,"min":#,"max":100000"#, "min", number),
        node(#""k":"slider","value":-100000,"min":-100000,"max":#"#, "max", number),
        node(#""k":"stepper","value":0,"step":#"#, "step", 0...100_000),
        node(#""k":"segments","titles":["a","b","c"],"value":#"#, "value", 0...2, by: 1),
        node(#""k":"progress","value":#"#, "value", 0...1), node(#""k":"media","volume":#"#, "volume", 0...1),
        node(#""k":"media","at":#"#, "at", 0...86_400),
        node(#""k":"media","jump":#"#, "jump", 0...4_294_967_295, by: 1),
        node(
            #""k":"date","value":#"#,
            "value",
            -62_135_596_800_000...253_402_300_799_999,
            by: 1
        ),
        node(#""k":"image","src":#"#, "src", 1...4_294_967_295, by: 1),
        node(#""k":"scroll","content":[#,1]"#, "content", 0...100_000),
        node(#""k":"scroll","content":[1,#]"#, "content", 0...100_000),
        node(#""k":"row","gap":#"#, "gap", 0...4_096), node(#""k":"column","pad":#"#, "pad", 0...4_096),
        Bound(body: #"{"set":[{"id":#,"k":"view","up":0}]}"#, member: "set.id", range: 1...4_294_967_295, step: 1),
        Bound(body: #"{"set":[{"id":1,"k":"view","up":#}]}"#, member: "set.up", range: 0...4_294_967_295, step: 1),
        Bound(body: #"{"size":[#,1]}"#, member: "size", range: 0...4_096),
        Bound(body: #"{"size":[1,#]}"#, member: "size", range: 0...4_096),
        Bound(body: #"{"motion":{"seconds":#}}"#, member: "motion.seconds", range: 0...10),
        Bound(body: #"{"motion":{"seconds":1,"delay":#}}"#, member: "motion.delay", range: 0...10),
    ]

    @Test(arguments: bounds)
    func `a number is taken at its bounds, and refused one step beyond each`(_ bound: Bound) throws {
        for number in [bound.range.lowerBound, bound.range.upperBound] {
            let update = try bound.update(number)
            #expect(throws: Never.self) { try SceneUpdate(update) }
        }
        for number in [bound.range.lowerBound - bound.step, bound.range.upperBound + bound.step] {
            let update = try bound.update(number)
            #expect(throws: MemberFault.outOfRange(bound.member)) { try SceneUpdate(update) }
        }
    }

    @Test(arguments: ["1e308", "1e999", "-1e999", "1e-400", "NaN", "Infinity", "0x10", "\"1\"", "null", "true"])
    func `what is no finite number is no frame`(number: String) throws {
        let body = Array(#"{"set":[{"id":1,"k":"view","up":0,"f":[0,0,1,\#(number)]}]}"#.utf8)
        let update = (try? JSONObject(parsing: body.span)).flatMap { try? SceneUpdate($0) }
        // A number that is too small to be told from 0 is 0.
        #expect((update != nil) == (number == "1e-400"))
    }

    /// Bodies with a list of so many elements, and the member whose list it is.
    private static let counts: [(element: String, before: String, behind: String, member: String, most: Int)] = [
        (#"{"text":""}"#, #"{"set":[{"id":1,"k":"text","up":0,"runs":["#, "]}]}", "set.runs", 64),
        (#""a""#, #"{"set":[{"id":1,"k":"segments","up":0,"titles":["#, "]}]}", "set.titles", 16),
        (#"{"call":"dismiss"}"#, #"{"calls":["#, "]}", "calls", 16),
    ]

    @Test(arguments: counts.indices)
    func `a list has so many elements, and not one more`(index: Int) throws {
        let (element, before, behind, member, most) = Self.counts[index]
        func update(_ count: Int) throws -> JSONObject {
            let list = Array(repeating: element, count: count).joined(separator: ",")
            return try JSONObject(parsing: Array((before + list + behind).utf8).span)
        }
        let (fitting, beyond) = (try update(most), try update(most + 1))
        #expect(throws: Never.self) { try SceneUpdate(fitting) }
        #expect(throws: MemberFault.tooMany(member, count: most + 1)) { try SceneUpdate(beyond) }
    }

    @Test
    func `children, nodes, ids that go and files have their counts, each with numbers of its own`() throws {
        func list(_ count: Int, _ element: (Int) -> String) -> String {
            (1...count).map(element).joined(separator: ",")
        }
        func order(_ count: Int) -> String {
            #"{"set":[{"id":1,"k":"view","up":0,"c":[\#(list(count) { "\($0)" })]}]}"#
        }
        func nodes(_ count: Int) -> String { #"{"set":[\#(list(count) { #"{"id":\#($0),"k":"view","up":0}"# })]}"# }
        func gone(_ count: Int) -> String { #"{"gone":[\#(list(count) { "\($0)" })]}"# }
        func files(_ count: Int) -> String { #"{"files":[\#(list(count) { #"{"file":\#($0),"path":"a"}"# })]}"# }
        let lists = [("set.c", 256, order), ("set", 512, nodes), ("gone", 512, gone), ("files", 16, files)]
        for (member, most, body) in lists {
            let fitting = try JSONObject(parsing: Array(body(most).utf8).span)
            let beyond = try JSONObject(parsing: Array(body(most + 1).utf8).span)
            #expect(throws: Never.self, "\(member)") { try SceneUpdate(fitting) }
            #expect(throws: MemberFault.tooMany(member, count: most + 1)) { try SceneUpdate(beyond) }
        }
    }
}
