// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import ExtensionBuild
import Foundation
import Locking
import NotificationPayload
import SceneModel
import Testing

@testable import ExtensionHost

/// Steps of `view` that a program hands over, a JSON object a line.
struct StepLinesTests {
    private func step(_ line: String) throws(CommandError) -> ViewStep { try ViewStep(line: Array(line.utf8)) }

    @Test(
        arguments: [
            (#"{"tap":"Launch app"}"#, .tap("Launch app")),
            (#"{"set":"Opacity","value":0.25}"#, .give("Opacity", .number(0.25))),
            (#"{"value":1,"set":"Opacity"}"#, .give("Opacity", .number(1))),
            (#"{"set":"Wifi","value":true}"#, .give("Wifi", .flag(true))),
            (#"{"set":"Name","value":"Ann=1"}"#, .give("Name", .text("Ann=1"))),
            (#"{"respond":"like"}"#, .respond("like", nil)),
            (#"{"respond":"reply","text":""}"#, .respond("reply", "")),
            (#"{"media":"pause"}"#, .media(.pause)),
            (#"{"show":{"aps":{"alert":"Hi"}}}"#, .show(Payload(["aps": ["alert": "Hi"]]))),
        ] as [(String, ViewStep.Act)]
    )
    func `each step has a form`(line: String, act: ViewStep.Act) throws {
        #expect(try step(line).act == act)
    }

    @Test(
        arguments: [
            #"{}"#, #"{"tap":1}"#, #"{"tap":"a","text":"b"}"#, #"{"set":"a"}"#, #"{"set":"a","value":null}"#,
            #"{"set":"a","value":[1]}"#, #"{"respond":""}"#, #"{"media":"stop"}"#, #"{"show":{}}"#, #"{"show":1}"#,
        ]
    )
    func `a line that is none of them is an error`(line: String) {
        let hint =
            #"write {"tap":NAME}, {"set":NAME,"value":VALUE}, {"respond":ACTION}, {"media":"play"} or {"show":PAYLOAD}"#
        #expect(throws: CommandError("a line is none of the steps", hint: hint)) { try step(line) }
    }

    @Test func `a line that is no JSON is an error with its place`() {
        let hint =
            #"write {"tap":NAME}, {"set":NAME,"value":VALUE}, {"respond":ACTION}, {"media":"play"} or {"show":PAYLOAD}"#
        #expect(throws: CommandError("a step is no JSON object: unexpected byte at 1", hint: hint)) { try step("tap") }
    }

    /// Reads all lines of a file, asking for each when the one before has come.
    private func texts(of content: [UInt8]) async throws -> [String] {
        let path = NSTemporaryDirectory() + "steps-\(UUID().uuidString)"
        try Data(content).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let lines = try StepLines(path)
        let (steps, arrive) = AsyncStream.makeStream(of: String.self)
        lines.read { result in
            switch result {
            case .success(let step): arrive.yield(step.text)
            case .failure(let error): arrive.yield(error.message)
            case nil: arrive.finish()
            }
        }
        lines.next()
        var texts: [String] = []
        for await text in steps {
            texts.append(text)
            lines.next()
        }
        return texts
    }

    @Test func `lines come in their order, the last one without its end, and empty ones are passed over`() async throws
    {
        let text = "{\"tap\":\"a\"}\n\n{\"media\":\"play\"}\n{\"tap\":\"b\"}"
        #expect(try await texts(of: Array(text.utf8)) == ["tap \"a\"", "media play", "tap \"b\""])
        #expect(try await texts(of: []).isEmpty)
    }

    @Test func `a line at its bound is a step, and one beyond is none, whatever it ends with`() async throws {
        let frame = #"{"tap":""}"#.utf8.count
        let longest = String(repeating: "x", count: StepLines.byteCount - frame)
        #expect(try await texts(of: Array("{\"tap\":\"\(longest)\"}\n".utf8)) == ["tap \"\(longest)\""])
        let end = "{\"tap\":\"a\"}\n{\"tap\":\"b\"}\n"
        for count in [StepLines.byteCount - end.utf8.count / 2 + 2, 2 * StepLines.byteCount] {
            let beyond = String(repeating: " ", count: count) + end
            let read = try await texts(of: Array(beyond.utf8))
            #expect(read == ["a step is longer than 1048576 bytes", "tap \"b\""])
        }
        let open = String(repeating: "x", count: StepLines.byteCount + 1)
        #expect(try await texts(of: Array(open.utf8)) == ["a step is longer than 1048576 bytes"])
    }

    @Test func `a file that is not there is an error`() {
        #expect(
            throws: CommandError(
                "\"/nowhere/steps\" is not readable: No such file or directory",
                hint: "name a file with a step as JSON a line, or \"-\" for standard input"
            )
        ) {
            try StepLines("/nowhere/steps")
        }
    }
}
