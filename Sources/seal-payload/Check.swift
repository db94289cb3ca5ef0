// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import E2ECrypto
import NotificationPayload

/// `seal-payload check`: what can be said of a body without a key.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a body: sizes, aps, mutable-content, format, key id; needs no key.",
        discussion: """
            Example:
              seal-payload keygen -o my.key
              seal-payload keygen -y my.key >my.pub
              echo '{"title":"Alice","body":"Lunch?"}' |
                seal-payload -R my.pub --topic com.example.chat | seal-payload check
            """
    )

    @Argument(help: "The body; standard input by default.", completion: .file())
    var input: String?

    func run() throws {
        let bytes = try Files.read(input)
        let name = Files.name(input)
        let object = try JSONObject(payload: bytes.span, name)
        let payload = Payload(object)
        var report = "size: \(bytes.count) of \(PushBody.limit) bytes (VoIP: \(PushBody.voipLimit))\n"
        for member in object.members {
            report += "  \(ForeignText.visible(member.key)): \(Self.byteCount(of: member))\n"
        }
        report += "mutable-content: \(payload.isMutable ? "1" : "no")\n"
        let problem = Self.apsProblem(payload)
        report += "aps: \(problem == nil ? "valid" : "invalid")\n"
        let (lines, failure) = Self.describe(payload, name)
        try Files.write(report + lines)
        if let failure = problem ?? failure { throw failure }
        if bytes.count > PushBody.limit {
            throw Failure.tooLarge("\(name) is \(bytes.count - PushBody.limit) bytes too large for APNs")
        }
    }

    /// Key, value and the punctuation between them.
    private static func byteCount(of member: JSONObject.Member) -> Int {
        JSONObject([(member.key, member.value)]).serialized.count - 2
    }

    private static func apsProblem(_ payload: Payload) -> Failure? {
        guard payload["aps"] != nil else { return .refused("the body has no \"aps\"") }
        guard payload.aps != nil else { return .refused("\"aps\" is no object") }
        guard payload.encryptedContent != nil else { return nil }
        guard payload.isMutable else {
            return .refused(
                "\"mutable-content\" is not 1",
                hint: "without it nothing is opened and the fallback is shown"
            )
        }
        guard payload.hasDisplayableAlert else {
            return .refused("\"aps\" has no alert text", hint: "without a fallback text no extension runs")
        }
        return nil
    }

    private static func describe(_ payload: Payload, _ name: String) -> (String, Failure?) {
        guard let content = payload.encryptedContent else { return ("format: clear\n", nil) }
        guard case .string(let text) = content else {
            return ("format: unknown\n", .refused("\"encrypted-content\" is no text"))
        }
        do throws(OpenError) {
            let summary = try SealedSummary(of: text.utf8.span)
            var lines = "format: \(summary.format.rawValue), \(summary.byteCount) bytes\n"
            if let header = summary.header { lines += "key id: \(header.recipient)\n" }
            if summary.header != nil || summary.sender != nil {
                lines += "sender: \(summary.sender.map { "\($0)" } ?? "anonymous")\n"
            }
            guard let header = summary.header else { return (lines, nil) }
            let bound: [(EnvelopeHeader.Flags, String)] = [
                (.collapseIDBound, "collapse-id"), (.requestIDBound, "request-id"),
            ]
            let names = ["topic"] + bound.filter { header.flags.contains($0.0) }.map(\.1)
            return (lines + "bound to: \(names.joined(separator: ", "))\n", nil)
        } catch .malformedText(let offset) {
            let defect = TextDefect(in: Array(text.utf8), at: offset)
            return ("format: unknown\n", .refused("the sealed text is malformed: \(defect)", hint: defect.next))
        } catch {
            return ("format: unknown\n", .refused("\(error)"))
        }
    }
}
