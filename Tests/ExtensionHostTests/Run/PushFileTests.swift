// SPDX-License-Identifier: Apache-2.0

import ExtensionBuild
import Foundation
import NotificationPayload
import Testing

@testable import ExtensionHost

/// Payloads of files as a developer has them.
struct PushFileTests {
    private func delivered(_ text: String) throws -> Payload {
        let path = NSTemporaryDirectory() + "push-\(UUID().uuidString).json"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        do { return try PushFile(path).delivered(to: "com.example.chat") } catch {
            throw CommandError(error.message.replacing(path, with: "FILE"), hint: error.hint)
        }
    }

    @Test func `the simulator's target is no part of a notification`() throws {
        let payload = try delivered(#"{"Simulator Target Bundle":"com.example.chat","aps":{"alert":"Hi"}}"#)
        #expect(payload == Payload(["aps": ["alert": "Hi"]]))
    }

    @Test func `a target that is no text is an error`() {
        #expect(
            throws: CommandError(
                "\"FILE\" has a \"Simulator Target Bundle\" that is a number, and not a text",
                hint: "write the identifier of the app, \"com.example.chat\", or leave it out"
            )
        ) {
            try delivered(#"{"Simulator Target Bundle":5,"aps":{"alert":"Hi"}}"#)
        }
    }

    @Test(arguments: [(#""a""#, nil), ("5", "a number"), ("[]", "a list"), ("null", "null")] as [(String, String?)])
    func `a category is a text`(value: String, kind: String?) throws {
        let payload = try delivered(#"{"aps":{"category":\#(value)}}"#)
        #expect(payload.faultOfCategory == kind.map { "has a \"category\" that is \($0), and not a text" })
    }
}
