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

    private static let forms =
        #"write {"tap":NAME}, {"set":NAME,"value":VALUE}, {"respond":ACTION}, {"media":"play"} or {"show":PAYLOAD}"#

    @Test(
        arguments: [
            (#"{}"#, "a line is none of the steps"),
            (#"{"click":"a"}"#, "a line is none of the steps"),
            (#"{"tap":1}"#, "\"tap\" of a step is a number, and not a text"),
            (#"{"tap":null}"#, "\"tap\" of a step is null, and not a text"),
            (#"{"tap":"a","text":"b"}"#, "a step \"tap\" has no member \"text\""),
            (#"{"tap":"a","set":"b"}"#, "a step \"tap\" has no member \"set\""),
            (#"{"set":"a"}"#, "\"value\" of a step is missing"),
            (#"{"set":1,"value":1}"#, "\"set\" of a step is a number, and not a text"),
            (#"{"set":"a","value":null}"#, "\"value\" of a step is null, and not a number, a text or true or false"),
            (#"{"set":"a","value":[1]}"#, "\"value\" of a step is a list, and not a number, a text or true or false"),
            (#"{"respond":""}"#, "\"respond\" of a step is empty"),
            (#"{"respond":true}"#, "\"respond\" of a step is true or false, and not a text"),
            (#"{"respond":"a","text":5}"#, "\"text\" of a step is a number, and not a text"),
            (#"{"respond":"a","text":null}"#, "\"text\" of a step is null, and not a text"),
            (#"{"media":"stop"}"#, "\"media\" of a step is neither \"play\" nor \"pause\""),
            (#"{"media":1}"#, "\"media\" of a step is a number, and not a text"),
            (#"{"show":{}}"#, "\"show\" of a step has no object \"aps\""),
            (#"{"show":{"aps":"Hi"}}"#, "\"show\" of a step has no object \"aps\""),
            (
                #"{"show":{"aps":{"category":5}}}"#,
                "\"show\" of a step has a \"category\" that is a number, and not a text"
            ),
            (#"{"show":1}"#, "\"show\" of a step is a number, and not an object"),
        ]
    )
    func `a line that is none of them is an error that says which member`(line: String, message: String) {
        #expect(throws: CommandError(message, hint: Self.forms)) { try step(line) }
    }

    @Test func `a line that is no JSON is an error with its place`() {
        #expect(throws: CommandError("a step is no JSON object: unexpected byte at 1", hint: Self.forms)) {
            try step("tap")
        }
    }

    /// Reads all lines of a file, asking for each when the one before has come.
    private func texts(of content: [UInt8], byteCountInAll: Int = StepLines.byteCountInAll) async throws -> [String] {
        let path = NSTemporaryDirectory() + "steps-\(UUID().uuidString)"
        try Data(content).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await texts(of: try StepLines(path, byteCountInAll: byteCountInAll))
    }

    private func texts(of lines: StepLines) async throws -> [String] {
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

    @Test func `lines may end with a carriage return, and empty ones of that kind are passed over`() async throws {
        let text = "{\"tap\":\"a\"}\r\n\r\n\r\n{\"media\":\"play\"}\r\n{\"tap\":\"b\"}\r"
        #expect(try await texts(of: Array(text.utf8)) == ["tap \"a\"", "media play", "tap \"b\""])
        let frame = #"{"tap":""}"#.utf8.count
        let longest = String(repeating: "x", count: StepLines.byteCount - frame)
        #expect(try await texts(of: Array("{\"tap\":\"\(longest)\"}\r\n".utf8)) == ["tap \"\(longest)\""])
    }

    @Test(arguments: ["\n", "\r\n"]) func `a million empty lines are passed over`(end: String) async throws {
        let empty = Array(repeatElement(Array(end.utf8), count: 1_000_000).joined())
        #expect(try await texts(of: empty + Array("{\"tap\":\"a\"}".utf8)) == ["tap \"a\""])
    }

    @Test func `all lines together have a bound, and nothing behind it is read`() async throws {
        let text = "{\"tap\":\"a\"}\n{\"tap\":\"b\"}\n"
        #expect(try await texts(of: Array(text.utf8), byteCountInAll: 24) == ["tap \"a\"", "tap \"b\""])
        #expect(try await texts(of: Array(text.utf8), byteCountInAll: 23) == ["the steps have more than 23 bytes"])
    }

    @Test func `an error of reading is an error, and the last of what is read`() async throws {
        // The file of this process's memory can be opened, and has nothing at its start.
        let read = try await texts(of: try StepLines("/proc/self/mem"))
        #expect(read == ["the steps cannot be read: Input/output error"])
    }

    @Test func `a folder is an error`() {
        #expect(
            throws: CommandError(
                "\"/tmp\" is a folder, and steps are the lines of a file",
                hint: "name a file with a step as JSON a line, or \"-\" for standard input"
            )
        ) {
            try StepLines("/tmp")
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a reading that waits for its line can be stopped`() async throws {
        let pipe = try NamedPipe()
        func begin() throws {
            let lines = try StepLines(pipe.path)
            lines.read { _ in Issue.record("there is no step") }
            lines.next()
            lines.stop()
        }
        try begin()
        try pipe.leaveToReader()
        let isLeft = await pipe.isLeft()
        #expect(isLeft)
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
