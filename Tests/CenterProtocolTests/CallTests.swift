// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import CenterProtocol

/// Each call as JSON: what it says, and what is none.
///
/// Source: center.md §4; PROTOCOL.md, "Calls".
struct CallTests {
    static let calls: [(CenterCall, String)] = [
        (
            .authorize([.alert, .sound, .badge, .provisional]),
            #"{"call":"authorize","options":["badge","sound","alert","provisional"]}"#
        ),
        (.settings, #"{"call":"settings"}"#),
        (
            .setCategories([.sample]),
            #"{"call":"setCategories","categories":[{"identifier":"message","actions":[{"identifier":"reply","#
                + #""title":"Reply","options":["authenticationRequired","foreground"],"#
                + #""text":{"button":"Send","placeholder":"Message"},"icon":{"system":"arrow"}},"#
                + #"{"identifier":"delete","title":"Delete","options":["destructive"],"icon":{"template":"bin"}}],"#
                + #""options":["customDismissAction","hiddenPreviewsShowTitle"],"#
                + #""intentIdentifiers":["INSendMessageIntent"],"hiddenPreviewsBodyPlaceholder":"%u messages","#
                + #""summaryFormat":"%u more messages from %@"}]}"#
        ),
        (.setCategories([]), #"{"call":"setCategories","categories":[]}"#),
        (.categories, #"{"call":"categories"}"#),
        (
            .add(
                NotificationRequest(
                    identifier: "sampleRequest",
                    payload: .sample,
                    trigger: .interval(seconds: 5, repeats: false),
                    attachments: [
                        RequestAttachment(
                            identifier: "photo",
                            type: "public.jpeg",
                            source: .descriptor(0),
                            thumbnail: .init(hidden: true, clip: [0, 0.25, 1, 0.5], time: 1.5)
                        )
                    ]
                )
            ),
            #"{"call":"add","request":{"identifier":"sampleRequest","#
                + #""payload":{"aps":{"alert":{"title":"Alice","body":"Lunch?"},"badge":1}},"#
                + #""trigger":{"type":"interval","seconds":5,"repeats":false},"#
                + #""attachments":[{"identifier":"photo","type":"public.jpeg","descriptor":0,"#
                + #""thumbnail":{"hidden":true,"clip":[0,0.25,1,0.5],"time":1.5}}]}}"#
        ),
        (.pending(after: nil), #"{"call":"pending"}"#), (.pending(after: "a"), #"{"call":"pending","after":"a"}"#),
        (.removePending(.all), #"{"call":"removePending"}"#),
        (.removePending(.named(["a", "b"])), #"{"call":"removePending","identifiers":["a","b"]}"#),
        (.delivered(before: nil), #"{"call":"delivered"}"#),
        (.delivered(before: 4711), #"{"call":"delivered","before":4711}"#),
        (.removeDelivered(.all), #"{"call":"removeDelivered"}"#),
        (.removeDelivered(.named([])), #"{"call":"removeDelivered","identifiers":[]}"#),
        (
            .file(StoredFileName(request: "lunch", file: "5f2c9a1e")),
            #"{"call":"file","identifier":"lunch","file":"5f2c9a1e"}"#
        ),
        (.badge(-1), #"{"call":"badge","count":-1}"#), (.badge(7), #"{"call":"badge","count":7}"#),
        (.register, #"{"call":"register"}"#), (.withdraw, #"{"call":"withdraw"}"#),
    ]

    @Test(arguments: calls)
    func `a call says exactly this`(call: CenterCall, body: String) throws {
        #expect(call.body.text == body)
        #expect(try CenterCall(try JSONObject(text: body), from: .socket) == call)
        try call.check()
    }

    @Test func `every name is among the calls`() {
        #expect(Set(Self.calls.map(\.0.name)) == Set(CallName.allCases))
        #expect(CallName.allCases.filter(\.isForAppsOnly) == [.file, .register, .withdraw])
    }

    @Test(arguments: calls)
    func `a member that a call does not have is a fault on a socket and ignored over HTTP`(
        call: CenterCall,
        body: String
    ) throws {
        var body = try JSONObject(text: body)
        body["later"] = 1
        #expect(throws: MemberFault.unknownMember(of: "")) { try CenterCall(body, from: .socket) }
        guard call.descriptorCount == 0 else { return }
        #expect(try CenterCall(body, from: .http) == call)
    }

    private static let identifier257 = JSON.string(String(repeating: "a", count: 257))

    @Test(
        arguments: [
            ("{}", .missing("call")), (#"{"call":1}"#, .wrongKind("call")),
            (#"{"call":"ADD"}"#, .unknownWord("call")),
            (#"{"call":"authorize"}"#, .missing("options")),
            (#"{"call":"authorize","options":["all"]}"#, .unknownWord("options")),
            (#"{"call":"authorize","options":[1]}"#, .wrongKind("options")),
            (#"{"call":"authorize","options":["alert","alert"]}"#, .repeated("options")),
            (#"{"call":"setCategories"}"#, .missing("categories")),
            (#"{"call":"setCategories","categories":[1]}"#, .wrongKind("categories")),
            (#"{"call":"setCategories","categories":[{}]}"#, .missing("categories.identifier")),
            (
                #"{"call":"setCategories","categories":[{"identifier":"a","actions":[{}],"options":[]}]}"#,
                .missing("categories.actions.identifier")
            ),
            (
                #"{"call":"setCategories","categories":[{"identifier":"a","actions":[],"options":["x"]}]}"#,
                .unknownWord("categories.options")
            ),
            (
                #"{"call":"setCategories","categories":[{"identifier":"a","actions":[],"options":[]},"#
                    + #"{"identifier":"a","actions":[],"options":[]}]}"#,
                .repeated("categories.identifier")
            ),
            (
                #"{"call":"setCategories","categories":[{"identifier":"a","actions":[{"identifier":"b","title":"","#
                    + #""options":[],"icon":{}}],"options":[]}]}"#,
                .missing("categories.actions.icon.system")
            ),
            (
                #"{"call":"setCategories","categories":[{"identifier":"a","actions":[{"identifier":"b","title":"","#
                    + #""options":[],"icon":{"system":"a","template":"b"}}],"options":[]}]}"#,
                .unknownMember(of: "categories.actions.icon")
            ),
            (#"{"call":"add"}"#, .missing("request")), (#"{"call":"add","request":[]}"#, .wrongKind("request")),
            (#"{"call":"add","request":{}}"#, .missing("request.identifier")),
            (#"{"call":"add","request":{"identifier":""}}"#, .empty("request.identifier")),
            (#"{"call":"add","request":{"identifier":"a"}}"#, .missing("request.payload")),
            (#"{"call":"add","request":{"identifier":"a","payload":1}}"#, .wrongKind("request.payload")),
            (
                #"{"call":"add","request":{"identifier":"a","payload":{},"trigers":1}}"#,
                .unknownMember(of: "request")
            ),
            (
                #"{"call":"add","request":{"identifier":"a","payload":{},"trigger":null}}"#,
                .wrongKind("request.trigger")
            ),
            (#"{"call":"pending","after":""}"#, .empty("after")),
            (#"{"call":"delivered","before":0}"#, .outOfRange("before")),
            (#"{"call":"delivered","before":"4711"}"#, .wrongKind("before")),
            (#"{"call":"removePending","identifiers":"a"}"#, .wrongKind("identifiers")),
            (#"{"call":"removePending","identifiers":[1]}"#, .wrongKind("identifiers")),
            (#"{"call":"removeDelivered","identifiers":[""]}"#, .empty("identifiers")),
            (#"{"call":"file","file":"a"}"#, .missing("identifier")),
            (#"{"call":"file","identifier":"a"}"#, .missing("file")),
            (#"{"call":"file","identifier":"a","file":""}"#, .empty("file")),
            (#"{"call":"badge"}"#, .missing("count")), (#"{"call":"badge","count":1.5}"#, .wrongKind("count")),
            (#"{"call":"badge","count":2147483648}"#, .outOfRange("count")),
        ] as [(String, MemberFault)]
    )
    func `what is no call is refused by name`(body: String, fault: MemberFault) throws {
        let object = try JSONObject(text: body)
        #expect(throws: fault) { try CenterCall(object, from: .socket) }
    }

    @Test func `a worker names files by their paths, and has no descriptors`() throws {
        func body(_ source: String) throws -> JSONObject {
            try JSONObject(
                text: #"{"call":"add","request":{"identifier":"a","payload":{},"#
                    + #""attachments":[{"identifier":"photo","type":"public.jpeg",\#(source)}]}}"#
            )
        }
        let path = #""path":"tmp/photo.jpg""#
        let attachment = RequestAttachment(
            identifier: "photo",
            type: "public.jpeg",
            source: .scratch("tmp/photo.jpg")
        )
        let call = CenterCall.add(.init(identifier: "a", payload: Payload([:]), attachments: [attachment]))
        #expect(try CenterCall(body(path), from: .worker) == call)
        #expect(try call.body == body(path))
        #expect(call.descriptorCount == 0)
        let member = "request.attachments"
        #expect(throws: MemberFault.missing("\(member).path")) {
            try CenterCall(body(#""descriptor":0"#), from: .worker)
        }
        #expect(throws: MemberFault.empty("\(member).path")) { try CenterCall(body(#""path":"""#), from: .worker) }
        #expect(throws: MemberFault.missing("\(member).descriptor")) { try CenterCall(body(path), from: .socket) }
    }

    @Test func `over HTTP null counts as absent`() throws {
        let body = try JSONObject(text: #"{"call":"add","request":{"identifier":"a","payload":{},"trigger":null}}"#)
        let request = NotificationRequest(identifier: "a", payload: Payload([:]))
        #expect(try CenterCall(body, from: .http) == .add(request))
    }

    @Test func `a file is not asked for over HTTP, which has nothing to write into`() throws {
        let body = try JSONObject(text: #"{"call":"file","identifier":"a","file":"b"}"#)
        #expect(throws: MemberFault.unknownWord("call")) { try CenterCall(body, from: .http) }
    }

    @Test func `the word of a file has 32 bytes at most`() throws {
        let longest = String(repeating: "f", count: 32)
        try CenterCall.file(StoredFileName(request: "a", file: longest)).check()
        #expect(throws: MemberFault.tooLong("file", byteCount: 33)) {
            try CenterCall.file(StoredFileName(request: "a", file: longest + "f")).check()
        }
    }

    // MARK: Bounds

    @Test func `identifiers have 1 to 256 bytes`() throws {
        let longest = String(repeating: "é", count: 128)
        try CenterCall.add(NotificationRequest(identifier: longest, payload: .sample)).check()
        try CenterCall.removePending(.named([longest])).check()
        for call in [
            CenterCall.add(NotificationRequest(identifier: longest + "a", payload: .sample)),
            .removeDelivered(.named([longest + "a"])), .pending(after: longest + "a"),
            .setCategories([NotificationCategory(identifier: longest + "a")]),
        ] {
            let path =
                switch call.name {
                case .add: "request.identifier"
                case .removeDelivered: "identifiers"
                case .pending: "after"
                case .setCategories, .authorize, .settings, .categories, .removePending, .delivered, .file, .badge,
                    .register, .withdraw:
                    "categories.identifier"
                }
            #expect(throws: MemberFault.tooLong(path, byteCount: 257)) { try call.check() }
        }
    }

    @Test func `a set has 64 categories, a category 16 actions, and all have 64 KiB`() throws {
        let categories = (0..<65).map { NotificationCategory(identifier: "c\($0)") }
        try CenterCall.setCategories(Array(categories.dropLast())).check()
        #expect(throws: MemberFault.tooMany("categories", count: 65)) {
            try CenterCall.setCategories(categories).check()
        }
        let actions = (0..<17).map { CategoryAction(identifier: "a\($0)", title: "A") }
        try CenterCall.setCategories([NotificationCategory(identifier: "c", actions: actions.dropLast())]).check()
        #expect(throws: MemberFault.tooMany("categories.actions", count: 17)) {
            try CenterCall.setCategories([NotificationCategory(identifier: "c", actions: actions)]).check()
        }
        let empty = NotificationCategory(identifier: "c", summaryFormat: "")
        let alone: JSONObject = ["categories": NotificationCategory.list([empty])]
        let room = 65_536 - (alone.serialized.count - #"{"categories":}"#.utf8.count)
        var full = empty
        full.summaryFormat = String(repeating: "x", count: room)
        try CenterCall.setCategories([full]).check()
        full.summaryFormat?.append("x")
        #expect(throws: MemberFault.tooLong("categories", byteCount: 65_537)) {
            try CenterCall.setCategories([full]).check()
        }
    }

    @Test func `1,024 identifiers are removed in one call`() throws {
        let identifiers = (0..<1025).map { "i\($0)" }
        try CenterCall.removePending(.named(Array(identifiers.dropLast()))).check()
        #expect(throws: MemberFault.tooMany("identifiers", count: 1025)) {
            try CenterCall.removePending(.named(identifiers)).check()
        }
    }

    @Test func `a payload has 65,536 bytes and 16 levels`() throws {
        func payload(byteCount: Int) -> Payload {
            Payload(["text": .string(String(repeating: "x", count: byteCount - 11))])
        }
        #expect(payload(byteCount: 65_536).serialized.count == 65_536)
        try CenterCall.add(NotificationRequest(identifier: "a", payload: payload(byteCount: 65_536))).check()
        #expect(throws: MemberFault.tooLong("request.payload", byteCount: 65_537)) {
            try CenterCall.add(NotificationRequest(identifier: "a", payload: payload(byteCount: 65_537))).check()
        }
        let deepest = Payload(["a": .nested(levels: 15)])
        try CenterCall.add(NotificationRequest(identifier: "a", payload: deepest)).check()
        let tooDeep = Payload(["a": .nested(levels: 16)])
        #expect(throws: MemberFault.tooDeep("request.payload")) {
            try CenterCall.add(NotificationRequest(identifier: "a", payload: tooDeep)).check()
        }
    }

    @Test func `a request has ten files, each descriptor one`() throws {
        try CenterCall.add(.withFiles(10)).check()
        #expect(throws: MemberFault.tooMany("request.attachments", count: 11)) {
            try CenterCall.add(.withFiles(11)).check()
        }
        var request = NotificationRequest.withFiles(2)
        request.attachments[1].source = .descriptor(0)
        #expect(throws: MemberFault.repeated("request.attachments.descriptor")) { try CenterCall.add(request).check() }
        request.attachments[1].source = .descriptor(2)
        #expect(throws: MemberFault.outOfRange("request.attachments.descriptor")) {
            try CenterCall.add(request).check()
        }
        request.attachments[1].source = .upload("u")
        #expect(throws: MemberFault.missing("request.attachments.descriptor")) { try CenterCall.add(request).check() }
        request.attachments = [.init(identifier: "a", type: "public.png", source: .upload("u1"))]
        #expect(try CenterCall(CenterCall.add(request).body, from: .http) == .add(request))
        #expect(request.descriptorCount == 0)
    }

    @Test(
        arguments: [
            (.init(clip: [0, 0, 1]), .malformed("request.attachments.thumbnail.clip")),
            (.init(clip: [0, 0, 1, 1.5]), .outOfRange("request.attachments.thumbnail.clip")),
            (.init(clip: [0, 0, 1, 1, 1]), .tooMany("request.attachments.thumbnail.clip", count: 5)),
            (.init(time: -1), .outOfRange("request.attachments.thumbnail.time")),
        ] as [(RequestAttachment.Thumbnail, MemberFault)]
    )
    func `a thumbnail lies within its picture`(thumbnail: RequestAttachment.Thumbnail, fault: MemberFault) {
        var request = NotificationRequest.withFiles(1)
        request.attachments[0].thumbnail = thumbnail
        #expect(throws: fault) { try CenterCall.add(request).check() }
    }

    // MARK: Failures

    @Test(
        arguments: [
            (.badge(-1), .badgeInvalid), (.badge(0), nil), (.badge(.max), nil), (.settings, nil),
            (.add(.sample), nil),
            (.add(NotificationRequest(identifier: "a", payload: Payload([:]))), .noContent),
            (.add(NotificationRequest(identifier: "a", payload: Payload(["aps": ["alert": ""]]))), .noContent),
            (.add(NotificationRequest(identifier: "a", payload: Payload(["aps": ["sound": ""]]))), .noContent),
            (.add(NotificationRequest(identifier: "a", payload: Payload(["aps": ["sound": "default"]]))), nil),
            (.add(NotificationRequest(identifier: "a", payload: Payload(["aps": ["sound": ["name": "a"]]]))), nil),
            (.add(NotificationRequest(identifier: "a", payload: Payload(["aps": ["badge": 0]]))), nil),
            (.add(NotificationRequest(identifier: "a", payload: Payload(["aps": ["badge": "1"]]))), .noContent),
            (.add(NotificationRequest(identifier: "a", payload: .sample, trigger: .push)), .noDate),
            (
                .add(
                    NotificationRequest(
                        identifier: "a",
                        payload: Payload([:]),
                        attachments: [.init(identifier: "a", type: "public.png", source: .descriptor(0))]
                    )
                ), nil
            ),
            (
                .add(
                    NotificationRequest(
                        identifier: "a",
                        payload: .sample,
                        attachments: [.init(identifier: "a", type: "com.adobe.pdf", source: .descriptor(0))]
                    )
                ), .attachmentType
            ),
        ] as [(CenterCall, CallFailure?)]
    )
    func `what Apple answers with an error is a failure and no fault`(call: CenterCall, failure: CallFailure?) {
        #expect(call.failure == failure)
    }
}
