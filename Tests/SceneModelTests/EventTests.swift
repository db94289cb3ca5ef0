// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload
import Testing

@testable import SceneModel

/// Events of a view as JSON, and which of them a scene lets through.
struct EventTests {
    private static let environment =
        #"{"width":360,"scale":2,"style":"dark","textSize":1.5,"direction":"rightToLeft","language":"pt-BR","timeZone":"America/Sao_Paulo","#
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
            case .ready, .time: #"{"node":2,"event":"\#(name.rawValue)","value":12.5}"#
            case .measured: #"{"node":2,"event":"measured","value":[360,120]}"#
            default: #"{"node":2,"event":"\#(name.rawValue)"}"#
            }
        } + [
            #"{"node":2,"event":"tap","at":[12,30.5]}"#, #"{"node":2,"event":"longPress","at":[-1,0]}"#,
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
            (#"{"node":2,"event":"value","value":1000000000000001}"#, .outOfRange("value")),
            (#"{"node":2,"event":"tap","at":[1]}"#, .malformed("at")),
            (#"{"node":2,"event":"time","value":-1}"#, .outOfRange("value")),
            (#"{"close":false}"#, .outOfRange("close")),
            (#"{"media":"stop"}"#, .unknownWord("media")),
            (#"{"response":{"action":"a"}}"#, .missing("response.number")),
            (#"{"environment":{"width":279,"scale":2}}"#, .outOfRange("environment.width")),
            (
                #"{"environment":\#(environment.replacing("pt-BR", with: "pt_BR"))}"#,
                .malformed("environment.language")
            ),
            (
                #"{"environment":\#(environment.replacing("America/Sao", with: "America/São"))}"#,
                .malformed("environment.timeZone")
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

    /// Each kind that takes events, with what it takes and what it does not.
    private static let judgements: [(SceneKind, NodeEvent, EventFault?)] = [
        (.button(SceneButton(title: "Go")), .tap(at: nil), nil),
        (.button(SceneButton(title: "Go")), .press, nil),
        (.button(SceneButton(title: "Go")), .focus, .notOfKind),
        (.button(SceneButton(title: "Go")), .value(.number(1)), .notOfKind),
        (.button(SceneButton(title: "Go", isDisabled: true)), .tap(at: nil), .inactive),
        (.button(SceneButton(title: "Go", isDisabled: true)), .release, nil),
        (.view, .tap(at: nil), .notOfKind),
        (.view, .longPress(at: nil), .notOfKind),
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
        (.date(SceneDate(value: 5)), .value(.number(-147_312_000_000)), nil),
        (.date(SceneDate(value: 5, minimum: 5)), .value(.number(4)), .badValue),
        (.date(SceneDate(value: 5, maximum: 5)), .value(.number(6)), .badValue),
        (.date(SceneDate(value: 5)), .value(.number(0.5)), .badValue),
        (.date(SceneDate(value: 5)), .value(.text("now")), .badValue),
        (.date(SceneDate(value: 5)), .value(.number(1e15)), .badValue),
        (.stepper(SceneRange(value: 0, maximum: 10)), .value(.number(0.37)), .badValue),
        (.stepper(SceneRange(value: 0.5, maximum: 10)), .value(.number(1.5)), nil),
        (.slider(SceneRange(value: 0, maximum: 1, step: 0.3)), .value(.number(0.6)), nil),
        (.slider(SceneRange(value: 0, maximum: 1, step: 0.3)), .value(.number(1)), nil),
        (.slider(SceneRange(value: 0, maximum: 1, step: 0.3)), .value(.number(0.7)), .badValue),
        (.field(SceneField()), .value(.text("a\u{2028}b")), .badValue),
        (.field(SceneField()), .value(.text("a\tb")), .badValue),
        (.editor(SceneField()), .value(.text("a\u{7}b")), .badValue),
        (.media(SceneMedia(source: 7)), .ready(30), nil),
        (.media(SceneMedia(source: 7)), .playing, nil),
        (.image(SceneImage(source: 7)), .paused, .notOfKind),
        (.progress(SceneProgress(value: 0)), .value(.number(1)), .notOfKind),
        (.media(SceneMedia(source: 7)), .time(3), nil),
        (.media(SceneMedia(source: 7)), .ended, nil),
        (.media(SceneMedia(source: 7)), .failed, nil),
        (.image(SceneImage(source: 7)), .failed, nil),
        (.image(SceneImage()), .failed, .notOfKind),
        (.image(SceneImage(source: 7)), .ended, .notOfKind),
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
    func `a node that is not seen takes no acts, and hears what follows from them`() throws {
        var hidden = SceneNode.view(2)
        hidden.style.isHidden = true
        var faint = SceneNode.view(4)
        faint.style.opacity = 0.009
        let tree = try SceneTree(
            .root,
            hidden,
            SceneNode(id: 3, up: 2, .button(SceneButton(title: "Go"))),
            faint,
            SceneNode(id: 5, up: 4, .media(SceneMedia(source: 7)), isTappable: true)
        )
        #expect(throws: EventFault.inactive) { try tree.judge(.tap(at: nil), of: 3) }
        #expect(throws: EventFault.inactive) { try tree.judge(.tap(at: nil), of: 5) }
        #expect(throws: EventFault.unknownNode) { try tree.judge(.tap(at: nil), of: 6) }
        try tree.judge(.release, of: 3)
        try tree.judge(.ended, of: 5)
    }

    @Test(arguments: [NodeEvent.tap(at: nil), .longPress(at: ScenePoint(1, 2))])
    func `a disabled control takes no acts, whatever it says of clicks`(event: NodeEvent) throws {
        let button = SceneKind.button(SceneButton(title: "Go", isDisabled: true))
        let field = SceneKind.field(SceneField(isSecure: true))
        let tree = try SceneTree(
            .root,
            SceneNode(id: 2, up: 1, button, isTappable: true, isHoldable: true),
            SceneNode(id: 3, up: 1, field, isTappable: true, isHoldable: true)
        )
        for id: UInt32 in [2, 3] { #expect(throws: EventFault.inactive) { try tree.judge(event, of: id) } }
    }

    @Test
    func `a node takes the gestures that it has, and the outermost row or column its size`() throws {
        let tree = try SceneTree(
            SceneNode(id: 1, up: 0, .row(SceneFlow())),
            SceneNode(id: 2, up: 1, .view, isTappable: true),
            SceneNode(id: 3, up: 1, .view, isHoldable: true)
        )
        try tree.judge(.tap(at: ScenePoint(3, 4)), of: 2)
        try tree.judge(.longPress(at: nil), of: 3)
        #expect(throws: EventFault.notOfKind) { try tree.judge(.longPress(at: nil), of: 2) }
        #expect(throws: EventFault.notOfKind) { try tree.judge(.tap(at: nil), of: 3) }
        try tree.judge(.measured(SceneSize(360, 10)), of: 1)
    }

    @Test
    func `a text that a person may write can be shown`() throws {
        let field = SceneNode(id: 2, up: 1, .editor(SceneField(placeholder: "Answer")))
        var tree = try SceneTree(.root, field)
        let text = String(repeating: "a", count: 8_186)
        #expect(throws: EventFault.badValue) { try tree.judge(.value(.text(text + "a")), of: 2) }
        try tree.judge(.value(.text(text)), of: 2)
        try tree.apply(
            SceneUpdate(set: [SceneNode(id: 2, up: 1, .editor(SceneField(value: text, placeholder: "Answer")))])
        )
        // Seven more full nodes leave a scene room for 6 bytes.
        try tree.apply(SceneUpdate(set: (3...9).map { .text($0, String(repeating: "a", count: 8_192)) }))
        try tree.apply(SceneUpdate(set: [SceneNode(id: 10, up: 1, .editor(SceneField()))]))
        #expect(throws: EventFault.badValue) { try tree.judge(.value(.text("a")), of: 10) }
    }
}
