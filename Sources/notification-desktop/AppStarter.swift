// SPDX-License-Identifier: Apache-2.0

import CenterAsking
import DesktopBus
import DesktopPresenter

/// The start of the program of a desktop file, or of its window if it runs: over the bus, or by the file's command.
///
/// host.yaml names the desktop file, and nothing that a sender says chooses the program. Source: Desktop Entry
/// Specification 1.5, "D-Bus Activation"; presenters.md §8, rule 12.
struct AppStarter: Sendable {
    private static let bus = "org.freedesktop.DBus"
    private static let interface = "org.freedesktop.Application"

    private let folders = DataFolders()
    private let start = DesktopStart()
    /// The language of the names that people read, as `es`.
    private let language: String

    init(language: String) {
        self.language = language
    }

    /// Brings the app of an opening to the front; false means that another way is to be found.
    ///
    /// Throws what is wrong with a desktop file that is there; another way is to be found then as well.
    func open(_ opening: Opening, _ clock: some Clock<Duration>) async throws(Failure) -> Bool {
        guard let entry = opening.entry else { return false }
        let found = folders.file(of: entry)
        if let name = entry.busName, await activate(entry, name, found?.file, opening, clock) { return true }
        guard let (path, file) = found else { return false }
        do throws(DesktopFile.Fault) {
            guard let file else { throw .noApplication }
            try file.check()
            if let required = file.required, Self.program(required) == nil { return false }
            let words = try file.command(at: path, showing: opening.address, in: language)
            guard let program = Self.program(words[0]) else { throw .noCommand }
            return await start.run(program, Array(words.dropFirst()), with: opening.token, clock)
        } catch {
            throw Self.failure(error, of: entry)
        }
    }

    /// The path of a program that a file names; `nil` means that there is none.
    private static func program(_ name: String) -> String? {
        // A path that begins elsewhere would be one of the agent's own folder.
        name.hasPrefix("/") ? name : name.contains("/") ? nil : RunningProgram.path(of: name)
    }

    private static func failure(_ fault: DesktopFile.Fault, of entry: DesktopEntry) -> Failure {
        let (what, hint) =
            switch fault {
            case .noApplication: ("is none of an application", "name another one: apps[].center.desktop-entry")
            case .needsTerminal: ("asks for a terminal, and a popup has none", "give the app a window of its own")
            case .noCommand: ("names no program that is here", "look at its line \"Exec\"")
            case .malformedCommand: ("has a command that is none", "desktop-file-validate says what is wrong")
            }
        return Failure("the desktop file \"\(entry.id)\" \(what)", hint: hint)
    }

    // MARK: The bus

    /// Calls the program if it runs, or comes about by the call; false means that it does neither, or has refused.
    private func activate(
        _ entry: DesktopEntry,
        _ name: String,
        _ file: DesktopFile?,
        _ opening: Opening,
        _ clock: some Clock<Duration>
    ) async -> Bool {
        guard let connection = try? BusConnection() else { return false }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                var mayStart = false
                do {
                    try file?.check()
                    mayStart = file?.isActivatable == true
                    let asked = try connection.call("NameHasOwner", of: Self.bus, at: Self.path, on: Self.bus) {
                        message throws(BusFailure) in
                        try message.append(name)
                    }
                    guard await connection.answer(to: asked) == .flag(true) || mayStart else { return false }
                    let token = opening.token.map { BusMessage.Value.text($0.text) }
                    let action = opening.action.flatMap { mayStart && file?.offers($0) == true ? $0 : nil }
                    let called = try connection.call(
                        action == nil ? "Activate" : "ActivateAction",
                        of: Self.interface,
                        at: entry.objectPath,
                        on: name,
                        starting: mayStart
                    ) { message throws(BusFailure) in
                        if let action {
                            try message.append(action)
                            try message.append(variants: [])
                        }
                        try message.append(
                            token.map { ["activation-token": $0, "desktop-startup-id": $0] } ?? [:]
                        )
                    }
                    return await connection.answer(to: called) != nil
                } catch {
                    return false
                }
            }
            group.addTask {
                // A program that takes longer has taken the call, or comes about.
                do { try await clock.sleep(for: DesktopStart.patience) } catch { return false }
                return true
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    private static let path = "/org/freedesktop/DBus"
}
