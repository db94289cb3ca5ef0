// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload
import Testing

@testable import SceneModel

/// Events of a view as JSON, and which of them a scene lets through.
struct EventTests {
    private static let environment =
        #"{"width":360,"scale":2,"style":"dark","textSize":1.5,"direction":"rightToLeft","language":"pt-BR","#
        + #""reducedMotion":true}"#

    private func read(_ text: String) throws -> ViewEvent? {
        var members = Members(try JSONObject(parsing: Array(text.utf8).span), .strict)
        let event = try ViewEvent(&members)
        try members.end()
        return event
    }

    @Test(
        arguments: NodeEvent.Name.allCases.map { name in
            switch name {
            case .value: #"{"node":2,"event":"value","value":0.4}"#
            case .time: #"{"node":2,"event":"time","value":12.5}"#
            case .measured: #"{"node":2,"event":"measured","value":[360,120]}"#
            default: #"{"node":2,"event":"\#(name.rawValue)"}"#
            }
        } + [
            #"{"node":2,"event":"value","value":true}"#, #"{"node":2,"event":"value","value":"Yes"}"#,
            #"{"response":{"number":7,"action":"reply","text":"Yes"}}"#, #"{"response":{"number":0,"action":"a"}}"#,
            #"{"environment":\#(environment)}"#, #"{"media":"play"}"#, #"{"media":"pause"}"#, #"{"close":true}"#,
        ]
    )
    func `an event is written as it was read`(text: String) throws {
        var written: JSONObject = [:]
        try #require(try read(text)).write(to: &written)
        #expect(String(decoding: written.serialized, as: UTF8.self) == text)
    }

    @Test(
        arguments: [
            (#"{"node":0,"event":"tap"}"#, .outOfRange("node")),
            (#"{"node":2,"event":"drag"}"#, .unknownWord("event")),
            (#"{"node":2,"event":"tap","value":1}"#, .unknownMember(of: "")),
            (#"{"node":2,"event":"value"}"#, .missing("value")),
            (#"{"node":2,"event":"value","value":[1]}"#, .wrongKind("value")),
            (#"{"node":2,"event":"value","value":100001}"#, .outOfRange("value")),
            (#"{"node":2,"event":"time","value":-1}"#, .outOfRange("value")),
            (#"{"close":false}"#, .outOfRange("close")),
            (#"{"media":"stop"}"#, .unknownWord("media")),
            (#"{"response":{"action":"a"}}"#, .missing("response.number")),
            (#"{"environment":{"width":279,"scale":2}}"#, .outOfRange("environment.width")),
            (
                #"{"environment":\#(environment.replacing("pt-BR", with: "pt_BR"))}"#,
                .malformed("environment.language")
            ),
        ] as [(String, MemberFault)]
    )
    func `a body that is no event`(text: String, fault: MemberFault) {
        #expect(throws: fault) { _ = try read(text) }
    }

    @Test
    func `a text of a person has at most 8 KiB`() throws {
        let text = String(repeating: "a", count: 8_193)
        #expect(try read(#"{"node":2,"event":"value","value":"\#(text.dropLast())"}"#) != nil)
        #expect(throws: MemberFault.tooLong("value", byteCount: 8_193)) {
            _ = try read(#"{"node":2,"event":"value","value":"\#(text)"}"#)
        }
    }

    // MARK: What a scene lets through

    private static let moment = Moment(milliseconds: 1_000_000)

    /// Each kind that takes events, with what it takes and what it does not.
    private static let judgements: [(SceneKind, NodeEvent, EventFault?)] = [
        (.button(SceneButton(title: "Go")), .tap, nil),
        (.button(SceneButton(title: "Go")), .press, nil),
        (.button(SceneButton(title: "Go")), .focus, .notOfKind),
        (.button(SceneButton(title: "Go")), .value(.number(1)), .notOfKind),
        (.button(SceneButton(title: "Go", isDisabled: true)), .tap, .inactive),
        (.button(SceneButton(title: "Go", isDisabled: true)), .release, .inactive),
        (.view, .tap, .notOfKind),
        (.view, .longPress, .notOfKind),
        (.view, .press, .notOfKind),
        (.slider(SceneRange(value: 0)), .value(.number(1)), nil),
        (.slider(SceneRange(value: 0)), .value(.number(1.001)), .badValue),
        (.slider(SceneRange(value: 0)), .value(.text("1")), .badValue),
        (.slider(SceneRange(value: 0, isDisabled: true)), .value(.number(1)), .inactive),
        (.stepper(SceneRange(value: 0, minimum: -1)), .value(.number(-1)), nil),
        (.switch(SceneSwitch(isOn: false)), .value(.flag(true)), nil),
        (.switch(SceneSwitch(isOn: false)), .value(.number(1)), .badValue),
        (.segments(SceneSegments(titles: ["a", "b"])), .value(.number(1)), nil),
        (.segments(SceneSegments(titles: ["a", "b"])), .value(.number(2)), .badValue),
        (.segments(SceneSegments(titles: ["a", "b"])), .value(.number(0.5)), .badValue),
        (.field(SceneField()), .value(.text("Yes")), nil),
        (.field(SceneField()), .value(.text("a\nb")), .badValue),
        (.field(SceneField()), .submit, nil),
        (.field(SceneField(isSecure: true)), .value(.text("secret")), .inactive),
        (.field(SceneField(isSecure: true)), .focus, .inactive),
        (.editor(SceneField()), .value(.text("a\nb")), nil),
        (.date(SceneDate(value: moment)), .value(.text(moment.text)), nil),
        (.date(SceneDate(value: moment, minimum: moment)), .value(.text("1970-01-01T00:00:00.000Z")), .badValue),
        (.date(SceneDate(value: moment)), .value(.text("now")), .badValue),
        (.progress(SceneProgress(value: 0)), .value(.number(1)), .notOfKind),
        (.media(SceneMedia(source: .sample)), .time(3), nil),
        (.media(SceneMedia(source: .sample)), .ended, nil),
        (.media(SceneMedia(source: .sample)), .failed, nil),
        (.image(SceneImage(source: .sample)), .failed, nil),
        (.image(SceneImage()), .failed, .notOfKind),
        (.image(SceneImage(source: .sample)), .ended, .notOfKind),
        (.column(SceneFlow()), .measured(SceneSize(360, 10)), .notOfKind),
    ]

    @Test(arguments: judgements.indices)
    func `a scene lets an event through, or says why not`(index: Int) throws {
        let (kind, event, fault) = Self.judgements[index]
        let tree = try SceneTree(.root, SceneNode(id: 2, up: 1, kind))
        if let fault {
            #expect(throws: fault) { try tree.judge(event, of: 2) }
        } else {
            try tree.judge(event, of: 2)
        }
    }

    @Test
    func `a node that is not seen takes nothing`() throws {
        var hidden = SceneNode.view(2)
        hidden.style.isHidden = true
        let tree = try SceneTree(.root, hidden, SceneNode(id: 3, up: 2, .button(SceneButton(title: "Go"))))
        #expect(throws: EventFault.inactive) { try tree.judge(.tap, of: 3) }
        #expect(throws: EventFault.unknownNode) { try tree.judge(.tap, of: 4) }
    }

    @Test
    func `a node with tap takes clicks, and the outermost row or column its size`() throws {
        let tapped = SceneNode(id: 2, up: 1, .view, isTappable: true)
        let tree = try SceneTree(SceneNode(id: 1, up: 0, .row(SceneFlow())), tapped)
        try tree.judge(.tap, of: 2)
        try tree.judge(.longPress, of: 2)
        try tree.judge(.measured(SceneSize(360, 10)), of: 1)
    }
}
