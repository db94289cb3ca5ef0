// SPDX-License-Identifier: Apache-2.0

import DesktopBus
import Locking

/// Programs of one bus that each say yes or no: they are asked, and asked again when one says that something changed.
///
/// A program that comes or goes is asked again too. One that is not there, or refuses, says no.
final class FlagWatch: Sendable {
    /// A question to a program, and the signals after which it is asked again.
    struct Flag: Sendable {
        static let properties = "org.freedesktop.DBus.Properties"

        let name: String
        let path: String
        /// The interface and the member of the call.
        let interface: String
        let member: String
        /// The arguments of the call, which are texts; the first one is the first one of the signal too.
        var arguments: [String] = []
        /// The answer that means yes.
        var yes = true
        /// The interface and the member of the signal.
        let changed: (interface: String, member: String)

        /// The rules of its own signal, and of the one that it came or went.
        fileprivate var rules: [String] {
            let (interface, member) = changed
            let argument = arguments.first.map { ",arg0='\($0)'" } ?? ""
            return [
                "type='signal',sender='\(name)',path='\(path)',interface='\(interface)',member='\(member)'\(argument)",
                "type='signal',sender='\(FlagWatch.bus)',member='NameOwnerChanged',arg0='\(name)'",
            ]
        }
    }

    private static let bus = "org.freedesktop.DBus"

    private let connection: BusConnection
    private let flags: [Flag]
    /// The answer of a program that has not answered yet.
    private let beforehand: Bool
    /// The flags by the numbers of the questions that wait for an answer.
    private let questions = Locked<[UInt64: Int]>([:])

    /// Connects to a bus; throws if it is not there.
    ///
    /// `rules` are those of further signals, which `run` hands on.
    init(
        _ bus: BusConnection.Bus,
        _ flags: [Flag],
        beforehand: Bool,
        rules: [String] = []
    ) throws(BusFailure) {
        connection = try BusConnection(to: bus)
        (self.flags, self.beforehand) = (flags, beforehand)
        // The rules come before the questions, so that no change falls between the two.
        for rule in flags.flatMap(\.rules) + rules {
            _ = try connection.call("AddMatch", of: Self.bus, at: "/org/freedesktop/DBus", on: Self.bus) {
                message throws(BusFailure) in
                try message.append(rule)
            }
        }
    }

    /// Tells whether one of them says yes, at each change and once all have answered, until the bus has ended.
    ///
    /// `heard` gets signals of other members than those of the flags, by their names.
    func run(_ tell: (Bool) async -> Void, heard: (String, Heard.Body) async -> Void) async throws {
        var answers = Array(repeating: beforehand, count: flags.count)
        var unanswered = Set(flags.indices)
        try ask()
        var told: Bool?
        while true {
            let isOn = answers.contains(true)
            if isOn != told, isOn || unanswered.isEmpty {
                await tell(isOn)
                told = isOn
            }
            switch try await connection.next({ Heard($0) }) {
            case .answer(let number, let body):
                guard let place = take(number) else { break }
                answers[place] = body == .flag(flags[place].yes)
                unanswered.remove(place)
            case .refusal(let number):
                guard let place = take(number) else { break }
                answers[place] = false
                unanswered.remove(place)
            case .signal(_, let name, let body):
                if flags.contains(where: { name == "\($0.changed.interface).\($0.changed.member)" })
                    || name == Self.bus + ".NameOwnerChanged"
                {
                    try ask()
                } else {
                    await heard(name, body)
                }
            case .other: break
            }
        }
    }

    private func take(_ number: UInt64) -> Int? { questions.withLock { $0.removeValue(forKey: number) } }

    /// Asks all; of an older question that has no answer yet the answer is passed over.
    private func ask() throws(BusFailure) {
        try questions.withLock { questions throws(BusFailure) in
            questions.removeAll()
            for (place, flag) in flags.enumerated() {
                let number = try connection.call(flag.member, of: flag.interface, at: flag.path, on: flag.name) {
                    message throws(BusFailure) in
                    for argument in flag.arguments { try message.append(argument) }
                }
                questions[number] = place
            }
        }
    }
}
