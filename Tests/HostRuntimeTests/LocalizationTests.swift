// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import NotificationPayload
import Testing

/// Texts that a push names by key.
///
/// Source: Apple, "Generating a remote notification", `title-loc-key`, `subtitle-loc-key`, `loc-key`.
struct LocalizationTests {
    private static let texts = LocalizedTexts([
        "TITLE": "Von %@", "SUBTITLE": "%2$@ in %1$@", "BODY": "%@: %@ %%", "PLAIN": "Hallo", "EMPTY": "",
        "LONG": String(repeating: "ä", count: 1024), "TOO_LONG": String(repeating: "ä", count: 1024) + "x",
        "GROWING": "%1$@%1$@%1$@", "caf\u{e9}": "composed",
    ])

    private static func payload(_ alert: JSON) -> Payload {
        Payload(["aps": ["alert": alert, "mutable-content": 1], "room": 7])
    }

    private static func delivered(_ alert: JSON) async -> JSON? {
        let record = await pipeline(hasExtension: false).record(of: .sample(payload: payload(alert).object))
        return record.payload.aps?["alert"]
    }

    private static func pipeline(
        hasExtension: Bool = true,
        opener: FakeOpener = FakeOpener(),
        runner: FakeRunner = FakeRunner(.failed(.exitedEarly))
    ) -> PushPipeline {
        PushPipelineTests.pipeline(.sample(hasExtension: hasExtension, texts: texts), opener: opener, runner: runner)
    }

    // MARK: What becomes of an alert

    @Test func `title, subtitle and body are the texts of their keys, which stay`() async {
        let alert: JSONObject = [
            "title-loc-key": "TITLE", "title-loc-args": ["Alice"], "subtitle-loc-key": "SUBTITLE",
            "subtitle-loc-args": ["Rom", "Essen"], "loc-key": "BODY", "loc-args": ["Bob", "ja"],
        ]
        var expected = alert
        expected["title"] = "Von Alice"
        expected["subtitle"] = "Essen in Rom"
        expected["body"] = "Bob: ja %"
        #expect(await Self.delivered(.object(alert)) == .object(expected))
    }

    @Test(
        arguments: [
            // Found: the text, whatever stands beside the key.
            (["loc-key": "PLAIN"], "Hallo"),
            (["loc-key": "PLAIN", "body": "beside"], "Hallo"),
            (["loc-key": "EMPTY", "body": "beside"], ""),
            // Not found: the text beside it, or else the key.
            (["loc-key": "NONE"], "NONE"),
            (["loc-key": "NONE", "body": "beside"], "beside"),
            (["loc-key": "NONE", "body": ""], "NONE"),
            (["loc-key": "NONE", "body": 1], "NONE"),
            (["loc-key": "NONE %@", "loc-args": ["a"]], "NONE %@"),
            // Arguments: missing ones are empty, numbers have their digits, nothing inside them is a place.
            (["loc-key": "BODY"], ":  %"),
            (["loc-key": "BODY", "loc-args": ["a"]], "a:  %"),
            (["loc-key": "BODY", "loc-args": ["a", "b", "c"]], "a: b %"),
            (["loc-key": "BODY", "loc-args": ["%@", "%1$@"]], "%@: %1$@ %"),
            (["loc-key": "BODY", "loc-args": [3, 2.5]], "3: 2.5 %"),
            (["loc-key": "BODY", "loc-args": [nil, "b"]], ": b %"),
            (["loc-key": "BODY", "loc-args": [["a"], true]], ":  %"),
            (["loc-key": "BODY", "loc-args": "a"], ":  %"),
            (["loc-key": "PLAIN", "loc-args": ["a"]], "Hallo"),
            // No key.
            (["loc-key": "", "body": "beside"], "beside"),
            (["loc-key": 1, "body": "beside"], "beside"),
            (["loc-args": ["a"], "body": "beside"], "beside"),
            (["title-loc-key": "PLAIN"], nil),
            // Keys are told apart byte by byte.
            (["loc-key": "caf\u{e9}"], "composed"),
            (["loc-key": "cafe\u{301}"], "cafe\u{301}"),
        ] as [(JSONObject, String?)]
    )
    func `the body of a key`(alert: JSONObject, body: String?) async {
        var expected = alert
        if let body { expected["body"] = .string(body) }
        if alert["title-loc-key"] != nil { expected["title"] = "Hallo" }
        #expect(await Self.delivered(.object(alert)) == .object(expected))
    }

    @Test func `a text that comes out too long is not there`() async {
        let long = String(repeating: "ä", count: 1024)
        #expect(await Self.delivered(["loc-key": "LONG"])?.object?["body"] == .string(long))
        #expect(await Self.delivered(["loc-key": "TOO_LONG"])?.object?["body"] == "TOO_LONG")
        let argument = String(repeating: "a", count: 682)
        let grown: JSONObject = ["loc-key": "GROWING", "loc-args": [.string(argument)]]
        #expect(await Self.delivered(.object(grown))?.object?["body"]?.string?.utf8.count == 2046)
        let tooGrown: JSONObject = ["loc-key": "GROWING", "loc-args": [.string(argument + "a")]]
        #expect(await Self.delivered(.object(tooGrown))?.object?["body"] == "GROWING")
    }

    @Test(arguments: ["PLAIN", ["body": "PLAIN"], ["loc-key": nil], nil, 3, ["PLAIN"]] as [JSON])
    func `an alert that names no key is as it came`(alert: JSON) async {
        #expect(await Self.delivered(alert) == alert)
    }

    // MARK: When

    private static let clear = payload(["loc-key": "PLAIN"])
    private static let clearText = payload(["loc-key": "PLAIN", "body": "Hallo"])
    private static let sealed: Payload = {
        var sealed = clear
        sealed["encrypted-content"] = "v1.AAAA"
        return sealed
    }()
    private static let sealedText: Payload = {
        var sealed = clearText
        sealed["encrypted-content"] = "v1.AAAA"
        return sealed
    }()
    private static let opened = Payload(["aps": ["alert": ["title-loc-key": "TITLE", "title-loc-args": ["Alice"]]]])
    private static let openedText = Payload([
        "aps": ["alert": ["title-loc-key": "TITLE", "title-loc-args": ["Alice"], "title": "Von Alice"]]
    ])

    @Test func `an extension is given texts, and its failure leaves them`() async {
        let runner = FakeRunner(.failed(.exitedEarly))
        let record = await Self.pipeline(runner: runner).record(of: .sample(payload: Self.clear.object))
        #expect(runner.calls.map(\.payload) == [Self.clearText])
        #expect(record.outcome == .original(.failed(.exitedEarly)))
        #expect(record.payload == Self.clearText)
    }

    @Test func `what was opened names its texts too`() async {
        let runner = FakeRunner(.failed(.exitedEarly))
        let opener = FakeOpener { .opened(Self.opened) }
        let record = await Self.pipeline(opener: opener, runner: runner).record(
            of: .sample(payload: Self.sealed.object)
        )
        #expect(runner.calls.map(\.payload) == [Self.openedText])
        #expect(record.payload == Self.openedText)
        let plain = await Self.pipeline(hasExtension: false, opener: opener)
            .record(of: .sample(payload: Self.sealed.object))
        #expect(plain.outcome == .opened)
        #expect(plain.payload == Self.openedText)
    }

    @Test func `a clear fallback has its texts`() async {
        let refused = await Self.pipeline(opener: FakeOpener { .refused(.notOpened) })
            .record(of: .sample(payload: Self.sealed.object))
        #expect(refused.outcome == .original(.refused(.notOpened)))
        #expect(refused.payload == Self.sealedText)
    }

    @Test func `a push for no extension has its texts`() async {
        let immutable = Payload(["aps": ["alert": ["loc-key": "PLAIN"]]])
        let record = await Self.pipeline().record(of: .sample(payload: immutable.object))
        #expect(record.outcome == .original(.notMutable))
        #expect(record.payload == Payload(["aps": ["alert": ["loc-key": "PLAIN", "body": "Hallo"]]]))
    }

    @Test func `an app without tables has the keys as texts`() async {
        let record = await PushPipelineTests.pipeline(.sample(hasExtension: false))
            .record(of: .sample(payload: Self.clear.object))
        #expect(record.payload == Self.payload(["loc-key": "PLAIN", "body": "PLAIN"]))
    }

    @Test func `what an extension says is not looked up`() async {
        let content = Payload(["aps": ["alert": ["loc-key": "PLAIN", "body": "its own"]]])
        let record = await Self.pipeline(runner: FakeRunner(.content(content, late: false)))
            .record(of: .sample(payload: Self.clear.object))
        #expect(record.payload == content)
    }
}
