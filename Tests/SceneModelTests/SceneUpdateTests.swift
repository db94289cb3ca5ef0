// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload
import Testing

@testable import SceneModel

/// Updates as JSON: what each kind is written as, and each way to be none.
struct SceneUpdateTests {
    /// One node of each kind, with every member that it may have.
    static let nodes = [
        #"{"id":1,"k":"view","up":0,"f":[0,0,360,300],"c":[2,3],"a":0.5,"bg":[255,4278190335],"gradient":{"from":1,"to":[2,3],"angle":90},"radius":12,"clip":true,"#
            + #""border":{"width":1,"color":8060927},"shadow":{"x":0,"y":2,"blur":4,"color":64},"t":[1,0,0,1,0,8],"#
            + #""hidden":true,"grow":1,"tap":true,"hold":true,"strip":true,"label":"Photo"}"#,
        #"{"id":1,"k":"text","up":0,"text":"Lunch?","font":{"size":17},"color":255,"align":"center","wrap":true,"#
            + #""middle":true}"#,
        #"{"id":1,"k":"text","up":0,"runs":[{"text":"Al","font":{"size":13,"weight":600,"italic":true},"color":1,"#
            + #""bg":2,"underline":true,"strike":true},{"text":"ice"}]}"#,
        #"{"id":1,"k":"image","up":0,"src":7,"fit":"contain"}"#,
        #"{"id":1,"k":"image","up":0,"symbol":"heart.fill","tint":4278190335}"#,
        #"{"id":1,"k":"button","up":0,"title":"Launch app","src":7,"symbol":"heart","font":{"size":15},"color":1,"disabled":true}"#,
        #"{"id":1,"k":"slider","up":0,"value":3,"min":-5,"max":10,"step":0.5,"tint":[8060927,176488447]}"#,
        #"{"id":1,"k":"switch","up":0,"on":true,"tint":1,"disabled":true}"#,
        #"{"id":1,"k":"stepper","up":0,"value":0.25,"wraps":true,"disabled":true}"#,
        #"{"id":1,"k":"segments","up":0,"titles":["One","Two"],"value":1,"tint":1,"disabled":true}"#,
        #"{"id":1,"k":"segments","up":0,"titles":[]}"#,
        #"{"id":1,"k":"progress","up":0,"value":0.75,"tint":1}"#,
        #"{"id":1,"k":"spinner","up":0,"running":false,"color":1}"#,
        #"{"id":1,"k":"field","up":0,"value":"Yes","placeholder":"Answer","keyboard":"email","secure":true,"#
            + #""plain":true,"font":{"size":17},"color":1,"align":"right","disabled":true}"#,
        #"{"id":1,"k":"editor","up":0,"value":"two\nlines"}"#,
        #"{"id":1,"k":"date","up":0,"value":-147312000000,"mode":"date","min":-62135596800000,"#
            + #""max":253402300799999,"disabled":true}"#,
        #"{"id":1,"k":"media","up":0,"src":7,"playing":true,"jump":2,"at":12.5,"muted":true,"volume":0.5,"loop":true,"controls":true,"#
            + #""fit":"cover"}"#,
        #"{"id":1,"k":"scroll","up":0,"content":[360,9000]}"#,
        #"{"id":1,"k":"row","up":0,"gap":8,"align":"center","pad":16}"#,
        #"{"id":1,"k":"column","up":0}"#,
    ]

    @Test(arguments: nodes)
    func `a node is written as it was read`(node: String) throws {
        let text = #"{"set":[\#(node)]}"#
        let update = try SceneUpdate(text: text)
        #expect(update.text == text)
        #expect(try SceneUpdate(text: update.text) == update)
    }

    @Test
    func `every kind has a sample`() throws {
        let kinds = try Self.nodes.map { try SceneUpdate(text: #"{"set":[\#($0)]}"#).set[0].kind.name }
        #expect(Set(kinds) == Set(SceneKind.Name.allCases))
    }

    @Test
    func `an update is written as it was read`() throws {
        let text =
            #"{"ack":12,"size":[360,300],"title":"Photo","actions":[{"identifier":"like","title":"Like","options":[]}],"#
            + #""mediaButton":{"type":"overlay","f":[10,10,44,44],"tint":255},"#
            + #""motion":{"seconds":0.3,"delay":0.1,"curve":"linear"},"#
            + #""files":[{"file":7,"path":"tmp/logo.png"}],"set":[{"id":1,"k":"view","up":0}],"gone":[9],"#
            + #""calls":[{"call":"defaultAction"},{"call":"dismiss"},{"call":"mediaStarted"},{"call":"mediaPaused"},"#
            + #"{"option":"doNotDismiss","response":7}],"more":true}"#
        #expect(try SceneUpdate(text: text).text == text)
    }

    @Test
    func `what is too much for the page's frame is cut, and no fault`() throws {
        let action = #"{"identifier":"a","title":"A","options":[]}"#
        let actions = Array(repeating: action, count: 17).joined(separator: ",")
        let title = String(repeating: "é", count: 101)
        let update = try SceneUpdate(text: #"{"actions":[\#(actions)],"title":"\#(title)"}"#)
        #expect(update.actions?.count == 10)
        #expect(update.title == String(repeating: "é", count: 100))
    }

    @Test(
        arguments: [
            ("A\u{301}\u{301} b", "A\u{301}\u{301} b"), ("a\\nSystem", "aSystem"), ("a\u{202E}b\u{2066}c", "abc"),
            ("👩\u{200D}🚀", "👩\u{200D}🚀"), ("a\u{2028}b", "ab"), ("\\u001b[1m", "[1m"),
            ("ab" + String(repeating: "\u{301}", count: 300), "a"),
        ]
    )
    func `a title stays in its line and leaves no mark elsewhere`(said: String, kept: String) throws {
        let action = #"{"identifier":"a","title":"\#(said)","options":[]}"#
        let update = try SceneUpdate(text: #"{"title":"\#(said)","actions":[\#(action)]}"#)
        #expect(update.title?.isWord(kept) == true)
        #expect(update.actions?.first?.title.isWord(kept) == true)
    }

    @Test
    func `buttons below the box have a bound of their own`() throws {
        func action(_ identifier: String) -> String {
            #"{"identifier":"\#(identifier)","title":"A","options":[],"text":{"button":"\#(text)","placeholder":""}}"#
        }
        let text = String(repeating: "a", count: 4_000)
        _ = try SceneUpdate(text: #"{"actions":[\#(action("a")),\#(action("b"))]}"#)
        let body = try JSONObject(
            parsing: Array(#"{"actions":[\#(action("a")),\#(action("b")),\#(action("c"))]}"#.utf8).span
        )
        #expect(throws: MemberFault.tooLong("actions", byteCount: 12_247)) { try SceneUpdate(body) }
    }

    @Test(.timeLimit(.minutes(1)))
    func `an object of thousands of members is refused before they are looked for`() throws {
        let members = (0..<6_000).map { #""q\#($0)":1"# }.joined(separator: ",")
        let body = try JSONObject(parsing: Array(#"{"set":[{"id":1,"k":"view","up":0,\#(members)}]}"#.utf8).span)
        #expect(throws: MemberFault.unknownMember(of: "set")) { try SceneUpdate(body) }
    }

    private static func node(_ members: String) -> String { #"{"set":[{"id":1,"up":0,\#(members)}]}"# }
    private static let longText = String(repeating: "a", count: 8_193)

    @Test(
        arguments: [
            (#"{"style":"color:red"}"#, .unknownMember(of: "")),
            (node(#""k":"web""#), .unknownWord("set.k")),
            (node(#""k":"view","style":"x""#), .unknownMember(of: "set")),
            (node(#""k":"view","src":"x""#), .unknownMember(of: "set")),
            (node(#""k":"view","value":1"#), .unknownMember(of: "set")),
            (node(#""f":[0,0,1,1]"#), .missing("set.k")),
            (#"{"set":[{"k":"view","up":0}]}"#, .missing("set.id")),
            (#"{"set":[{"id":0,"k":"view","up":0}]}"#, .outOfRange("set.id")),
            (#"{"set":[{"id":1.5,"k":"view","up":0}]}"#, .wrongKind("set.id")),
            (#"{"set":[{"id":4294967296,"k":"view","up":0}]}"#, .outOfRange("set.id")),
            (#"{"set":[{"id":1,"k":"view","up":-1}]}"#, .outOfRange("set.up")),
            (#"{"set":[{"id":1,"k":"view","up":0},{"id":1,"k":"view","up":0}]}"#, .repeated("set.id")),
            (node(#""k":"view","bg":"red""#), .malformed("set.bg")),
            (node(#""k":"view","bg":"url(http://127.0.0.1/)""#), .malformed("set.bg")),
            (node(#""k":"view","bg":-1"#), .malformed("set.bg")),
            (node(#""k":"view","bg":4294967296"#), .malformed("set.bg")),
            (node(#""k":"view","bg":[1,2,3]"#), .malformed("set.bg")),
            (node(#""k":"view","bg":[1,"2"]"#), .malformed("set.bg")),
            (node(#""k":"view","f":[0,0,1]"#), .malformed("set.f")),
            (node(#""k":"view","f":[0,0,1,1,1]"#), .tooMany("set.f", count: 5)),
            (node(#""k":"view","f":[0,0,-1,1]"#), .outOfRange("set.f")),
            (node(#""k":"view","f":[0,0,1,100000.5]"#), .outOfRange("set.f")),
            (node(#""k":"view","f":[100001,0,1,1]"#), .outOfRange("set.f")),
            (node(#""k":"view","f":[0,-100001,1,1]"#), .outOfRange("set.f")),
            (node(#""k":"view","f":[0,0,"1",1]"#), .wrongKind("set.f")),
            (node(#""k":"view","a":1.01"#), .outOfRange("set.a")),
            (node(#""k":"view","a":-0.01"#), .outOfRange("set.a")),
            (node(#""k":"view","radius":4097"#), .outOfRange("set.radius")),
            (node(#""k":"view","t":[1,0,0,1,0]"#), .malformed("set.t")),
            (node(#""k":"view","border":{"width":1}"#), .missing("set.border.color")),
            (node(#""k":"view","border":{"width":1,"color":1,"x":1}"#), .unknownMember(of: "set.border")),
            (node(#""k":"view","shadow":{"x":1,"y":1,"blur":-1,"color":1}"#), .outOfRange("set.shadow.blur")),
            (node(#""k":"view","c":[0]"#), .wrongKind("set.c")),
            (node(#""k":"view","grow":101"#), .outOfRange("set.grow")),
            (node(#""k":"view","label":"\#(longText)""#), .tooLong("set.label", byteCount: 8_193)),
            (node(#""k":"text""#), .missing("set.runs")),
            (node(#""k":"text","text":"a","runs":[]"#), .unknownMember(of: "set")),
            (node(#""k":"text","text":"a","font":{"size":0.5}"#), .outOfRange("set.font.size")),
            (node(#""k":"text","text":"a","font":{"size":17,"weight":950}"#), .outOfRange("set.font.weight")),
            (node(#""k":"text","text":"a","font":{"size":17,"name":"x"}"#), .unknownMember(of: "set.font")),
            (node(#""k":"text","text":"a","align":"justify""#), .unknownWord("set.align")),
            (node(#""k":"image","src":"http://127.0.0.1/a.png""#), .wrongKind("set.src")),
            (node(#""k":"image","src":0"#), .outOfRange("set.src")),
            (node(#""k":"image","symbol":"""#), .malformed("set.symbol")),
            (node(#""k":"image","symbol":"Heart"# + #"""#), .malformed("set.symbol")),
            (node(#""k":"view","gradient":{"from":1,"to":2}"#), .missing("set.gradient.angle")),
            (node(#""k":"slider","value":2"#), .outOfRange("set.value")),
            (node(#""k":"slider","value":1,"min":2,"max":1"#), .outOfRange("set.value")),
            (node(#""k":"segments","titles":["a"],"value":1"#), .outOfRange("set.value")),
            (node(#""k":"segments""#), .missing("set.titles")),
            (node(#""k":"progress","value":1.1"#), .outOfRange("set.value")),
            (node(#""k":"date","value":"yesterday""#), .wrongKind("set.value")),
            (node(#""k":"date","value":253402300800000"#), .outOfRange("set.value")),
            (node(#""k":"date","value":5,"min":6"#), .outOfRange("set.value")),
            (node(#""k":"date","value":5,"min":6,"max":4"#), .outOfRange("set.value")),
            (node(#""k":"media","volume":1.1"#), .outOfRange("set.volume")),
            (node(#""k":"media","at":86401"#), .outOfRange("set.at")),
            (node(#""k":"scroll""#), .missing("set.content")),
            (#"{"gone":[0]}"#, .wrongKind("gone")),
            (#"{"ack":-1}"#, .outOfRange("ack")),
            (#"{"size":[360]}"#, .malformed("size")),
            (#"{"size":[360,4097]}"#, .outOfRange("size")),
            (#"{"calls":[{"call":"open"}]}"#, .unknownWord("calls.call")),
            (#"{"calls":[{"call":"dismiss","url":"x"}]}"#, .unknownMember(of: "calls")),
            (#"{"calls":[{"option":"doNotDismiss"}]}"#, .missing("calls.response")),
            (#"{"files":[{"file":0,"path":"tmp/a"}]}"#, .outOfRange("files.file")),
            (#"{"files":[{"file":"1","path":"tmp/a"}]}"#, .wrongKind("files.file")),
            (#"{"files":[{"file":1,"path":""}]}"#, .empty("files.path")),
            (node(#""k":"image","src":4294967296"#), .outOfRange("set.src")),
            (#"{"motion":{"seconds":11}}"#, .outOfRange("motion.seconds")),
            (#"{"motion":{"seconds":1,"curve":"spring"}}"#, .unknownWord("motion.curve")),
            (#"{"mediaButton":{"type":"big"}}"#, .unknownWord("mediaButton.type")),
        ] as [(String, MemberFault)]
    )
    func `a body that is no update`(body: String, fault: MemberFault) throws {
        let object = try JSONObject(parsing: Array(body.utf8).span)
        #expect(throws: fault) { try SceneUpdate(object) }
    }
}
