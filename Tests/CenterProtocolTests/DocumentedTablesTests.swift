// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import Testing

@testable import CenterProtocol

/// The tables of PROTOCOL.md, "Notification centre", row by row beside the code.
struct DocumentedTablesTests {
    /// The rows of the first table below a heading, cell by cell, without its head.
    private static func rows(below heading: String) throws -> [[String]] {
        let document = try #require(ProtocolDocument.centre)
        let start = try #require(document.range(of: "\n### \(heading)\n"))
        let lines = document[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
        let table = lines.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
        return table.dropFirst(2).map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The words in code spans of a cell; true for those that may be absent.
    private static func members(_ cell: String) -> [String: Bool] {
        var members: [String: Bool] = [:]
        let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
        for index in stride(from: 1, to: parts.count - 1, by: 2) {
            members[String(parts[index])] = parts[index + 1].hasPrefix("?")
        }
        return members
    }

    private static func hex(_ byte: UInt8) -> String { "0x" + Hexadecimal.encode([byte]).uppercased() }

    @Test func `the link's table has each type, its direction and its id`() throws {
        let rows = try Self.rows(below: "Link")
        let expected = LinkMessageType.allCases.map { type in
            [Self.hex(type.rawValue), "\(type)", type.isFromHost ? "host → centre" : "centre → host"]
        }
        #expect(Set(rows.map { Array($0.prefix(3)) }) == Set(expected))
        #expect(rows.count == expected.count)
        let ids = Dictionary(uniqueKeysWithValues: rows.map { ($0[1], $0[3]) })
        for type in ["hello", "ready", "taken", "file", "shutdown"] { #expect(ids[type] == "0") }
        for type in ["record", "unfit", "floor"] { #expect(ids[type] == "number") }
        for type in ["apps", "gates"] { #expect(ids[type] == "piece") }
    }

    @Test func `the app socket's table has each type and its direction`() throws {
        let rows = try Self.rows(below: "App socket")
        let expected = AppMessageType.allCases.map { type in
            [Self.hex(type.rawValue), "\(type)", type.isFromApp ? "app → centre" : "centre → app"]
        }
        #expect(Set(rows.map { Array($0.prefix(3)) }) == Set(expected))
        #expect(rows.count == expected.count)
    }

    /// Messages of which each has every member that its type may have.
    @Test func `bodies have the members of their rows`() throws {
        var bodies: [String: JSONObject] = [:]
        for message in [
            HostLinkMessage.hello(.sample), .wholeRegistry, .file(.sound), .floor(1), .viewEnded(id: 1, .gone),
            .shutdown,
        ] {
            bodies["\(message.type)"] = message.packet.body
        }
        let changes = GateList(isWhole: false)
        for message in [
            CenterLinkMessage.ready, try .taken(1), .unfit(number: 1, .badRecord), .ask(1), .view(1),
            .gates(Piece(number: 0, isLast: true, content: changes)),
        ] {
            bodies["\(message.type)"] = message.packet.body
        }
        try compare(bodies, with: "Link")
        bodies = [:]
        for message in [AppMessage.hello, .readyForAll, .completed(id: 1), .finished(id: 1, .failed)] {
            bodies["\(message.type)"] = message.packet.body
        }
        let response = AppResponse(response: 1, action: "a", text: "t", notification: .sample)
        for message in [
            CenterAppMessage.welcome, .rejected, .willPresent(id: 1, .sample), .response(id: 1, response),
            .silent(id: 1, .sample), .token("00"), .openSettings(.sample),
        ] {
            bodies["\(message.type)"] = message.packet.body
        }
        try compare(bodies, with: "App socket")
    }

    private func compare(_ bodies: [String: JSONObject], with heading: String) throws {
        for row in try Self.rows(below: heading) {
            guard let body = bodies[row[1]] else { continue }
            var cell = row[4]
            // Words that a member may have stand in brackets.
            while let open = cell.firstIndex(of: "("), let close = cell[open...].firstIndex(of: ")") {
                cell.removeSubrange(open...close)
            }
            #expect(Set(Self.members(cell).keys) == Set(body.members.map(\.key)), "\(row[1])")
        }
    }

    @Test func `the table of calls has each call and its members`() throws {
        let rows = try Self.rows(below: "Calls")
        #expect(rows.map(\.[0]) == CallName.allCases.map { "`\($0.rawValue)`" })
        var members: [String: Set<String>] = [:]
        for (call, _) in CallTests.calls {
            members[call.name.rawValue, default: []].formUnion(call.body.members.map(\.key).filter { $0 != "call" })
        }
        var results: [String: Set<String>] = [:]
        for (name, answer, _) in CallAnswerTests.answers {
            guard let ok = answer.body["ok"]?.object else { continue }
            results[name.rawValue] = Set(ok.members.map(\.key))
        }
        for row in rows {
            let name = row[0].filter { $0 != "`" }
            #expect(Set(Self.members(row[1]).keys) == members[name], "\(name)")
            #expect(Set(Self.members(row[2]).keys) == results[name] ?? [], "\(name)")
        }
    }

    @Test func `an optional member of a call may be absent, and no other`() throws {
        for row in try Self.rows(below: "Calls") {
            let name = row[0].filter { $0 != "`" }
            for (member, isOptional) in Self.members(row[1]) {
                let call = try #require(CallTests.calls.map(\.0).first { $0.name.rawValue == name })
                var body = call.body
                body[member] = nil
                let isRead = (try? CenterCall(body, from: .socket)) != nil
                #expect(isRead == isOptional, "\(name) without \(member)")
            }
        }
    }

    @Test func `the table of errors is the errors`() throws {
        let rows = try Self.rows(below: "Errors")
        #expect(rows.map { Array($0.prefix(3)) } == CallFailure.allCases.map { [$0.domain, "\($0.code)", $0.reason] })
    }

    @Test func `the table of triggers has each kind and its members`() throws {
        for row in try Self.rows(below: "Triggers") {
            let name = row[0].filter { $0 != "`" }
            var keys: Set<String> = []
            for (trigger, _) in TriggerTests.triggers where trigger.json["type"]?.string == name {
                keys.formUnion(trigger.json.members.map(\.key))
            }
            var cell = row[1]
            while let open = cell.firstIndex(of: "("), let close = cell[open...].firstIndex(of: ")") {
                cell.removeSubrange(open...close)
            }
            #expect(Set(Self.members(cell).keys).union(["type"]) == keys, "\(name)")
        }
    }

    @Test func `the numbers of the document are the code's`() throws {
        let document = try #require(ProtocolDocument.centre)
        for text in [
            "**\(grouped(LinkMessageType.maximumByteCount))** bytes",
            "app socket at most\n\(grouped(AppMessageType.maximumByteCount))",
            "at most \(LinkPacket.depthLimit)\nlevels",
            "At most \(grouped(LinkWindow.recordLimit)) records and \(grouped(LinkWindow.byteCountLimit)) bytes",
            "a list of 1 to \(grouped(TakenRanges.limit)) pairs",
            "at most \(GateList.pieceLimit) in a packet and \(grouped(GateList.limit)) in",
            "at most \(grouped(CenterOwner.limit)) owners and \(grouped(CenterApp.limit)) apps",
            "A list has at most \(grouped(AppFile.limit)) files",
            "| \(NotificationCategory.limit); \(CategoryAction.limit); "
                + "\(grouped(NotificationCategory.byteCountLimit)) bytes",
            "| \(grouped(NotificationRequest.payloadByteCountLimit)) bytes, written compactly; "
                + "\(Payload.depthLimit) levels |",
            "| identifiers of one removal | \(grouped(CenterCall.Selection.limit)) |",
            "| text of a response | \(grouped(AppResponse.textByteCountLimit)) bytes |",
            "| \(CallRate.app.perSecond) a second, \(grouped(CallRate.app.atOnce)) at once, 1,000 open |",
            "repeating one below \(Int(RequestTrigger.shortestRepeatingInterval)) s",
        ] {
            let flat = document.replacing("\n  ", with: " ").replacing("\n", with: " ")
            #expect(flat.contains(text.replacing("\n", with: " ")), "\(text)")
        }
    }

    /// A number as documents write it, with commas.
    private func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in String(number).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}

private enum ProtocolDocument {
    /// The section and what follows it; `nil` means that the document has none.
    static let centre: Substring? = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        guard let text = try? String(contentsOf: root.appending(path: "PROTOCOL.md"), encoding: .utf8),
            let start = text.range(of: "## Notification centre\n")
        else { return nil }
        return text[start.upperBound...]
    }()
}
