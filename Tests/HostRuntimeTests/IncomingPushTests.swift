// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Testing

/// Source: Apple, "Sending notification requests to APNs".
struct IncomingPushTests {
    @Test(
        arguments: [
            (.alert, "", 4096), (.background, "", 4096), (.voip, ".voip", 5120), (.pushtotalk, ".voip-ptt", 4096),
            (.complication, ".complication", 4096), (.fileprovider, ".pushkit.fileprovider", 4096),
            (.liveactivity, ".push-type.liveactivity", 4096), (.widgets, ".push-type.widgets", 4096),
            (.controls, ".push-type.controls", 4096), (.location, ".location-query", 4096), (.mdm, "", 4096),
        ] as [(PushType, String, Int)]
    )
    func `a push type gives its topic a suffix and its body a limit`(type: PushType, suffix: String, byteCount: Int) {
        #expect(type.topicSuffix == suffix)
        #expect(type.maximumPayloadByteCount == byteCount)
    }

    @Test func `there are eleven push types and three priorities`() {
        #expect(PushType.allCases.count == 11)
        #expect([1, 5, 10].map(PushPriority.init(rawValue:)) == [.low, .powerAware, .immediate])
        #expect([0, 2, 4, 6, 9, 11, -1].compactMap(PushPriority.init(rawValue:)).isEmpty)
        #expect(PushEnvironment.allCases.map(\.rawValue) == ["development", "production"])
    }

    @Test func `a collapse identifier replaces the push's own`() {
        #expect(IncomingPush.sample(id: "a").identifier == "a")
        #expect(IncomingPush.sample(id: "a", collapseID: "score").identifier == "score")
    }

    // MARK: Device tokens

    @Test func `a token is known in lower case, however it was registered`() {
        var table = DeviceTokenTable()
        let chat = DeviceTokenTable.Registration(
            topic: "com.example.chat",
            environment: .development,
            pushTypes: [.alert, .voip]
        )
        let mail = DeviceTokenTable.Registration(
            topic: "com.example.mail",
            environment: .production,
            pushTypes: [.alert]
        )
        table.register(chat, tokens: ["AB01", "cd02"])
        table.register(mail, tokens: ["ef03"])
        #expect(table.registration(of: "ab01") == chat)
        #expect(table.registration(of: "cd02") == chat)
        #expect(table.registration(of: "ef03") == mail)
        #expect(table.registration(of: "ab") == nil)
        #expect(table.registration(of: "") == nil)
    }

    @Test func `an app is known by each topic its push types make`() {
        var table = DeviceTokenTable()
        let chat = DeviceTokenTable.Registration(
            topic: "com.example.chat",
            environment: .development,
            pushTypes: [.alert, .background, .voip]
        )
        table.register(chat, tokens: [])
        #expect(table.app(forTopic: "com.example.chat") == chat)
        #expect(table.app(forTopic: "com.example.chat.voip") == chat)
        #expect(table.app(forTopic: "com.example.chat.complication") == nil)
        #expect(table.app(forTopic: "com.example") == nil)
    }

    @Test(arguments: [false, true])
    func `a bundle identifier that ends like a suffix is its app's, whoever came first`(_ isFirst: Bool) {
        let chat = DeviceTokenTable.Registration(
            topic: "com.example.chat",
            environment: .development,
            pushTypes: [.alert, .voip]
        )
        let calls = DeviceTokenTable.Registration(
            topic: "com.example.chat.voip",
            environment: .development,
            pushTypes: [.alert, .voip]
        )
        var table = DeviceTokenTable()
        for registration in isFirst ? [calls, chat] : [chat, calls] { table.register(registration, tokens: []) }
        #expect(table.app(forTopic: "com.example.chat") == chat)
        #expect(table.app(forTopic: "com.example.chat.voip") == calls)
        #expect(table.app(forTopic: "com.example.chat.voip.voip") == calls)
    }
}
