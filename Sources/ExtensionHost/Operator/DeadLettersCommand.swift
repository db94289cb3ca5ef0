// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import HostRuntime
import NotificationPayload
import Store

struct DeadLettersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dead-letters",
        abstract: "Shows, sends again or forgets records that a webhook never took.",
        discussion: """
            Works beside a running host, and without one.

            Example:
              extension-host dead-letters list --config host.yaml
              extension-host dead-letters replay --config host.yaml --sink matrix
            """,
        subcommands: [ListCommand.self, ReplayCommand.self, DropCommand.self]
    )

    struct Options: ParsableArguments {
        @Option(help: "The configuration of the host.")
        var config: String

        @Option(help: "Only of this sink.")
        var sink: String?

        @Option(help: "Only this delivery, as \"list\" names it: 5f2c9a1e-1042.")
        var delivery: String?

        fileprivate func open() throws(CommandError) -> any DeadLetterShelf {
            let configuration = try HostConfiguration(file: config)
            if let fleet = configuration.fleet { return try FleetLetters(fleet) }
            guard let folder = configuration.stateFolder else {
                throw CommandError(
                    "\"\(config)\" names no state folder",
                    hint: "dead letters outlive a host with \"state: FOLDER\""
                )
            }
            return try JournalLetters(folder: folder)
        }

        fileprivate func selection(in letters: any DeadLetterShelf) throws(CommandError) -> DeadLetterSelection {
            guard let delivery else { return DeadLetterSelection(sink: sink) }
            guard let name = DeliveryName(delivery), letters.names(name) else {
                throw CommandError("\"\(delivery)\" is no delivery of this host", hint: "\"list\" names them")
            }
            return DeadLetterSelection(sink: sink, delivery: name)
        }
    }

    /// The flag that selects all dead letters to send or forget, in place of a sink or a delivery.
    struct Choice: ParsableArguments {
        @Flag(help: "All of them.")
        var all = false

        fileprivate func check(_ options: Options) throws {
            guard all != (options.sink != nil || options.delivery != nil) else {
                throw ValidationError("give --sink or --delivery, or --all")
            }
        }

        /// Does something to the letters that are meant.
        func apply(
            _ options: Options,
            _ action: (any DeadLetterShelf, DeadLetterSelection) throws(CommandError) -> Int
        ) throws -> Int {
            try check(options)
            let letters = try options.open()
            return try action(letters, try options.selection(in: letters))
        }
    }

    struct ListCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "One line for each: when, sink, delivery, attempts, why.",
            discussion: "The records themselves hold opened texts: --json shows them, one object a line."
        )

        @OptionGroup var options: Options

        @Flag(help: "One JSON object a line, with the record.")
        var json = false

        func run() throws {
            let letters = try options.open()
            let selection = try options.selection(in: letters)
            try letters.forEach(selection) { letter in print(json ? line(letter) : text(letter)) }
        }

        private func text(_ letter: DeadLetter) -> String {
            "\(letter.date.timestamp)  \(letter.sink)  \(letter.delivery)  \(letter.attempts)  \(letter.reason)"
        }

        private func line(_ letter: DeadLetter) -> String {
            var object: JSONObject = [
                "date": .string(letter.date.timestamp), "sink": .string(letter.sink),
                "delivery": .string(letter.delivery.description),
                "attempts": .integer(Int64(letter.attempts)), "reason": .string(letter.reason),
            ]
            if let record = try? JSONObject(parsing: letter.record.span) { object["record"] = .object(record) }
            return String(decoding: object.serialized, as: UTF8.self)
        }
    }

    struct ReplayCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "replay",
            abstract: "Puts them on their way again, under their old names.",
            discussion: "A running host finds them within a second or two."
        )

        @OptionGroup var options: Options
        @OptionGroup var choice: Choice

        func run() throws {
            print(
                try choice.apply(options) { letters, selection throws(CommandError) in try letters.replay(selection) }
            )
        }
    }

    struct DropCommand: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "drop", abstract: "Forgets them; prints how many.")

        @OptionGroup var options: Options
        @OptionGroup var choice: Choice

        func run() throws {
            print(try choice.apply(options) { letters, selection throws(CommandError) in try letters.drop(selection) })
        }
    }
}
