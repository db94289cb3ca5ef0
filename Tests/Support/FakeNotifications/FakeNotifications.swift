// SPDX-License-Identifier: Apache-2.0

import DesktopBus
import Foundation
import Locking
import NotificationPayload

/// A notification daemon that shows nothing: it prints each call as a line of JSON, and sends the signals that lines of
/// its standard input name.
///
/// The first line is the call "ready", once it has all its names.
/// The program is GNOME's lock program, logind and the settings portal as well, whose locks and Do Not Disturb lines
/// switch, and an app of a name on the bus.
///
///     FakeNotifications NAME CAPABILITY,… [APP]
///     closed ID REASON | chosen ID KEY | replied ID TEXT | token ID TOKEN | lock gnome|login 0|1
///     quiet plasma|gnome 0|1 | woke
///
/// With the name `portal-1` or `portal-2` the program is the notification portal of that version instead, and with
/// `portal-0` one that shows no notifications:
///
///     invoke ID KEY [TEXT]
@main
struct FakeNotifications {
    private static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"

    private let serverName: String
    private let capabilities: [String]
    private var lastID: UInt32 = 0
    private let locks = Locked<Set<FakeLock>>([])
    private let quiet = Locked<Set<FakeQuiet>>([])
    private let sleep = FakeSleep()

    static func main() async throws {
        let arguments = CommandLine.arguments
        var daemon = FakeNotifications(
            serverName: arguments[1],
            capabilities: arguments[2].split(separator: ",").map(String.init)
        )
        try await daemon.run()
    }

    private init(serverName: String, capabilities: [String]) {
        self.serverName = serverName
        self.capabilities = capabilities
    }

    private mutating func run() async throws {
        let bus = try BusConnection()
        // Whoever sees the names finds the launcher listening.
        try FakeLauncher.listen(on: bus)
        let bureau = "org.freedesktop.DBus"
        let portal = FakePortal(serverName)
        let daemon =
            [Self.name, FakeQuiet.portal] + FakeLock.allCases.map(\.name) + CommandLine.arguments.dropFirst(3)
        for name in portal == nil ? daemon : [FakePortal.name] {
            // 4: whoever has the name already keeps it.
            _ = try bus.call("RequestName", of: bureau, at: "/org/freedesktop/DBus", on: bureau) {
                message throws(BusFailure) in
                try message.append(name)
                try message.append(UInt32(4))
            }
        }
        FileHandle.standardOutput.write(Data("{\"call\":\"ready\"}\n".utf8))
        Thread.detachNewThread { [locks, quiet, sleep] in Self.obey(bus, portal, locks, quiet, sleep) }
        while true {
            let call = try await bus.next { message in
                if let portal { portal.take(message) } else { take(message) }
            }
            try sleep.signal(bus)
            guard let call else { continue }
            FileHandle.standardOutput.write(Data(call.serialized + [UInt8(ascii: "\n")]))
            if call["call"] == "CloseNotification", let id = call["id"]?.integer {
                try Self.signal(bus, "NotificationClosed", UInt32(id)) { message throws(BusFailure) in
                    try message.append(UInt32(3))
                }
            }
        }
    }

    // MARK: Calls

    /// Answers a call, and returns it as it is printed; `nil` means a message of another kind.
    private mutating func take(_ message: borrowing BusMessage) -> JSONObject? {
        if let badge = FakeLauncher.badge(message) { return badge }
        guard message.kind == .call else { return nil }
        if let activation = FakeApp.activation(message) { return activation }
        if let asked = FakeQuiet(message) {
            let isOn = quiet.withLock { $0.contains(asked) }
            asked.answer(message, isOn)
            return ["call": "Quiet", "of": .string(asked.rawValue), "on": .bool(isOn)]
        }
        guard message.interface == Self.name else {
            FakeLock(message.member)?.answer(message, locks.withLock(\.self))
            if FakeLock(message.member) == .login { sleep.takeWatcher() }
            return nil
        }
        var printed: JSONObject = ["call": .string(message.member)]
        do {
            switch message.member {
            case "GetCapabilities":
                try message.answer { answer throws(BusFailure) in try answer.append(capabilities) }
            case "GetServerInformation":
                try message.answer { answer throws(BusFailure) in
                    for text in [serverName, "nestbox", "1.0", "1.2"] { try answer.append(text) }
                }
            case "CloseNotification":
                printed["id"] = .integer(Int64(try message.readUInt32()))
                try message.answer { _ in }
            case "Notify": try show(message, &printed)
            default: return nil
            }
        } catch {
            printed["error"] = .string("\(error)")
        }
        return printed
    }

    private mutating func show(_ message: borrowing BusMessage, _ printed: inout JSONObject) throws(BusFailure) {
        printed["app"] = .string(try message.readText())
        let replaced = try message.readUInt32()
        printed["replaces"] = .integer(Int64(replaced))
        _ = try message.readText()
        printed["summary"] = .string(try message.readText())
        printed["body"] = .string(try message.readText())
        printed["actions"] = .array(try message.readTexts(limit: 64).map(JSON.string))
        var hints = JSONObject()
        for (name, value) in try message.readValues().sorted(by: { $0.key < $1.key }) {
            hints[name] =
                switch value {
                case .byte(let byte): .integer(Int64(byte))
                case .flag(let flag): .bool(flag)
                case .number(let number): .integer(number)
                case .text(let text): .string(text)
                case .natural, .texts, .bytes, .values, .list, .pair, .descriptor, .variant: .null
                }
        }
        printed["hints"] = .object(hints)
        printed["expire"] = .integer(Int64(try message.readInt32()))
        if replaced == 0 { lastID += 1 }
        let id = replaced == 0 ? lastID : replaced
        printed["id"] = .integer(Int64(id))
        try message.answer { answer throws(BusFailure) in try answer.append(id) }
    }

    // MARK: Signals

    /// Sends what the lines of standard input name, and ends with it.
    private static func obey(
        _ bus: BusConnection,
        _ portal: FakePortal?,
        _ locks: Locked<Set<FakeLock>>,
        _ quiet: Locked<Set<FakeQuiet>>,
        _ sleep: FakeSleep
    ) {
        while let line = readLine() {
            if let portal, line.hasPrefix("invoke ") {
                let words = line.split(separator: " ", maxSplits: 3).dropFirst().map(String.init)
                if words.count > 1 { try? portal.invoke(words, on: bus) }
            }
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            if words.count == 3, words[0] == "lock", let lock = FakeLock(rawValue: words[1]) {
                locks.withLock { if words[2] == "1" { $0.insert(lock) } else { $0.remove(lock) } }
                try? lock.signal(bus, words[2] == "1")
            }
            if words.count == 3, words[0] == "quiet", let one = FakeQuiet(rawValue: words[1]) {
                quiet.withLock { if words[2] == "1" { $0.insert(one) } else { $0.remove(one) } }
                try? one.signal(bus, words[2] == "1")
            }
            if words == ["woke"] {
                sleep.end()
                try? sleep.signal(bus)
            }
            guard words.count == 3, let id = UInt32(words[1]) else { continue }
            switch words[0] {
            case "closed":
                try? signal(bus, "NotificationClosed", id) { message throws(BusFailure) in
                    try message.append(UInt32(words[2]) ?? 0)
                }
            case "chosen":
                try? signal(bus, "ActionInvoked", id) { message throws(BusFailure) in try message.append(words[2]) }
            case "token":
                try? signal(bus, "ActivationToken", id) { message throws(BusFailure) in try message.append(words[2]) }
            case "replied":
                try? signal(bus, "NotificationReplied", id) { message throws(BusFailure) in
                    try message.append(words[2])
                }
            default: break
            }
        }
        exit(0)
    }

    private static func signal(
        _ bus: BusConnection,
        _ member: String,
        _ id: UInt32,
        _ write: (borrowing BusMessage) throws(BusFailure) -> Void
    ) throws(BusFailure) {
        try bus.signal(member, of: name, at: path) { message throws(BusFailure) in
            try message.append(id)
            try write(message)
        }
    }
}
