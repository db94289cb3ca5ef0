// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import NotificationPayload

/// Hands pushes to a running host of this machine.
struct SendCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Hands pushes to the socket of a running host, and prints its answers.",
        discussion: """
            Without --token or --topic every line is a push, {"token":…,"headers":{…},"payload":{…}}, and each has its
            answer, a line of JSON in the same order. With one of them the whole input is one payload. An answer with
            status 200 means that the push is kept and will have its delivery record.

            Exit status: 0 every push is accepted, 1 one is refused, 2 usage, 3 the host did not answer all of them:
            those may be sent again.

            Example:
              echo '{"aps":{"alert":"Lunch?"}}' | extension-host send --socket state/ingress.sock --topic com.example.chat
            """
    )

    @Option(help: "What \"listen: ndjson: socket:\" of host.yaml names.", completion: .file())
    var socket: String

    @Option(help: ArgumentHelp("The device token of the one push.", valueName: "hex"))
    var token: String?

    @Option(help: "The topic of the one push; without --token its app's first device has it.")
    var topic: String?

    @Option(help: ArgumentHelp("A header of the one push, apns-priority=5; may be repeated.", valueName: "name=value"))
    var header: [String] = []

    @Argument(help: "A file in place of standard input.", completion: .file())
    var file: String?

    func validate() throws {
        guard token != nil || header.isEmpty else { throw ValidationError("--header needs --token") }
        for header in header where !header.hasPrefix("apns-") || !header.contains("=") {
            throw ValidationError("\"\(header)\" is no header of APNs: write apns-priority=5")
        }
    }

    func run() throws {
        let connection: HostConnection
        do throws(CommandError) {
            connection = try HostConnection(path: socket)
        } catch {
            Terminal.report(error)
            throw ExitCode.unanswered
        }
        let answers = connection.readAnswers { line in
            var line = line
            line.append(UInt8(ascii: "\n"))
            FileHandle.standardOutput.write(Data(line))
        }
        let input = try openInput()
        if token == nil, topic == nil {
            while case let data = try input.read(upToCount: 64 << 10) ?? Data(), !data.isEmpty, connection.send(data) {}
        } else {
            _ = connection.send(Data(try push(of: try input.readToEnd() ?? Data())))
        }
        connection.finishSending()
        let result = answers.wait()
        let unanswered = connection.lineCount - result.answered
        guard unanswered <= 0 else {
            Terminal.report(
                CommandError(
                    "the host did not answer \(unanswered) of \(connection.lineCount) pushes",
                    hint: "they may be sent again: one that is known already is not delivered twice"
                )
            )
            throw ExitCode.unanswered
        }
        if result.refused > 0 { throw ExitCode.refused }
    }

    private func openInput() throws(CommandError) -> FileHandle {
        guard let file, file != "-" else { return .standardInput }
        guard let handle = FileHandle(forReadingAtPath: file) else { throw CommandError("\"\(file)\" is not readable") }
        return handle
    }

    /// One payload as one line.
    private func push(of data: Data) throws(CommandError) -> [UInt8] {
        var payload: JSONObject
        do {
            payload = try JSONObject(parsing: [UInt8](data).span)
        } catch {
            throw CommandError("the payload is not one JSON object: \(error)")
        }
        var line: JSONObject
        if let token {
            var headers = JSONObject()
            if let topic { headers["apns-topic"] = .string(topic) }
            for header in header {
                let parts = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                headers[String(parts[0])] = .string(String(parts[1]))
            }
            line = ["token": .string(token), "headers": .object(headers), "payload": .object(payload)]
        } else {
            payload["Simulator Target Bundle"] = topic.map(JSON.string)
            line = payload
        }
        return line.serialized + [UInt8(ascii: "\n")]
    }
}

extension ExitCode {
    /// `send` ends with this status when the host left pushes unanswered, which may be sent again.
    static let unanswered = ExitCode(3)
}
