// SPDX-License-Identifier: Apache-2.0

import DesktopBus
import DesktopPresenter
import Locking

/// Programs of one bus that each say yes or no: they are asked, and asked again when one says that something changed.
///
/// A program that comes or goes is asked again too. One that is not there, or refuses, says no, and one that is silent
/// for some seconds keeps the answer that it has beforehand.
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

    private struct State: Sendable {
        /// The flags by the numbers of the questions that wait for an answer.
        var questions: [UInt64: Int] = [:]
        /// The number of the question to the bus itself, which is asked when the patience is over.
        var end: UInt64?
    }

    /// The time in which a program answers that is not hung.
    private static let patience = Duration.seconds(5)
    private static let bus = "org.freedesktop.DBus"
    private static let busPath = "/org/freedesktop/DBus"

    private let connection: BusConnection
    private let flags: [Flag]
    /// The answer of a program that has not answered yet.
    private let beforehand: Bool
    private let clock: any Clock<Duration>
    private let state = Locked(State())

    /// Connects to a bus; throws if it is not there.
    ///
    /// `rules` are those of further signals, which `run` hands on.
    init(
        _ bus: BusConnection.Bus,
        _ flags: [Flag],
        beforehand: Bool,
        rules: [String] = [],
        _ clock: any Clock<Duration> = ContinuousClock()
    ) throws(BusFailure) {
        connection = try BusConnection(to: bus)
        (self.flags, self.beforehand, self.clock) = (flags, beforehand, clock)
        // The rules come before the questions, so that no change falls between the two.
        for rule in flags.flatMap(\.rules) + rules {
            _ = try connection.call("AddMatch", of: Self.bus, at: Self.busPath, on: Self.bus) {
                message throws(BusFailure) in
                try message.append(rule)
            }
        }
    }

    /// Tells whether one of them says yes, at each change and once it is known, until the bus has ended.
    ///
    /// `heard` gets signals of other members than those of the flags, by their names.
    func run(_ tell: (Bool) async -> Void, heard: (String, Heard.Body) async -> Void) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await self.endPatience() }
            defer { group.cancelAll() }
            try await hear(tell, heard)
        }
    }

    private func hear(_ tell: (Bool) async -> Void, _ heard: (String, Heard.Body) async -> Void) async throws {
        var answers = FlagAnswers(count: flags.count, beforehand: beforehand)
        try ask()
        while true {
            if let isOn = answers.news() { await tell(isOn) }
            switch try await connection.next({ Heard($0) }) {
            case .answer(let number, let body):
                if isEnd(number) { answers.takeSilence() }
                guard let place = take(number) else { break }
                answers.take(body == .flag(flags[place].yes), of: place)
            case .refusal(let number):
                guard let place = take(number) else { break }
                answers.take(false, of: place)
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

    private func take(_ number: UInt64) -> Int? { state.withLock { $0.questions.removeValue(forKey: number) } }

    private func isEnd(_ number: UInt64) -> Bool { state.withLock { $0.end == number } }

    /// Waits, and asks the bus, which is never silent: its answer comes where those of the programs would.
    private func endPatience() async throws {
        try await clock.sleep(for: Self.patience)
        try state.withLock { state throws(BusFailure) in
            state.end = try connection.call("GetId", of: Self.bus, at: Self.busPath, on: Self.bus) { _ in }
        }
    }

    /// Asks all; of an older question that has no answer yet the answer is passed over.
    private func ask() throws(BusFailure) {
        try state.withLock { state throws(BusFailure) in
            state.questions.removeAll()
            for (place, flag) in flags.enumerated() {
                let number = try connection.call(flag.member, of: flag.interface, at: flag.path, on: flag.name) {
                    message throws(BusFailure) in
                    for argument in flag.arguments { try message.append(argument) }
                }
                state.questions[number] = place
            }
        }
    }
}
