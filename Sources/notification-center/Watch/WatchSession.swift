// SPDX-License-Identifier: Apache-2.0

import CenterAsking
import Foundation
import NIOHTTP1
import NotificationPayload
import UserNotificationCenter

/// A watch: what the centre tells is written in the order in which it comes, and keys are carried out.
actor WatchSession {
    /// The form in which events are written.
    enum Format {
        /// Blocks for a person.
        case blocks(WatchView)
        /// A line for each event.
        case lines(WatchFilter)
        /// A JSON object for each event.
        case objects(WatchFilter)
    }

    private let client: CenterClient
    private var format: Format
    /// Rings for what makes a sound, while its banner is fresh and no other surface plays it.
    private let rings: Bool
    /// The surfaces of the owner and the place of this watch among them; `nil` means that it is none.
    private var surfaces: (list: [Presenter], own: Int)?
    private var keys = WatchKeys()
    /// The answer whose text is typed.
    private var reply: (id: String, action: NotificationAction)?
    /// The ids of what the last key dismissed.
    private var lastDismissed: [String] = []
    /// The rows on the terminal; `nil` means that a person may write on it as well.
    private var screen: WatchScreen?
    /// The event that waits until a text is typed.
    private var waiting: CheckedContinuation<Void, Never>?

    /// `isAlone` is true if nothing but the watch writes on the terminal.
    init(_ client: CenterClient, _ format: Format, rings: Bool, isAlone: Bool) {
        self.client = client
        self.format = format
        self.rings = rings
        if isAlone, case .blocks(let view) = format, view.style.hasColours {
            screen = WatchScreen(columns: view.style.columns)
        }
    }

    // MARK: What the centre tells

    /// Writes what happened before the watch.
    func begin(with start: WatchSource.Start) throws {
        learn(start.apps)
        learn(start.page)
        for notification in start.notifications { try write("delivered", notification) }
    }

    func learn(_ apps: JSON?) {
        guard case .blocks(var view) = format else { return }
        view.learn(apps)
        format = .blocks(view)
    }

    private func learn(_ page: CenterPage?) {
        guard let page, case .blocks(var view) = format, view.style.hasLinks else { return }
        view.learn(page)
        format = .blocks(view)
    }

    /// Says something to standard error, which may be the same terminal.
    func say(_ text: String) {
        screen?.lose()
        Terminal.say(text)
    }

    /// Writes an event.
    ///
    /// The call waits while a person types, and the centre keeps what comes after the event.
    func take(_ event: ServerEvent) async throws {
        if reply != nil { await withCheckedContinuation { waiting = $0 } }
        switch event.name {
        case "hello": return await introduce(event.data)
        case "surfaces": return learnSurfaces(event.data)
        default: try write(event.name, event.data)
        }
        if rings, event.name == "delivered", filter.takes(event.data), isHeardHere(event.data) {
            try Terminal.write("\u{7}")
        }
    }

    /// Tells the centre what this watch can do: blocks are its banners.
    ///
    /// A centre that does not take it has ended, and the next one asks again.
    private func introduce(_ hello: JSONObject) async {
        surfaces = nil
        guard let id = hello["surface"]?.string else { return }
        let state: JSONObject = ["visible": true, "focused": false, "banners": true, "sound": .bool(rings)]
        _ = try? await client.ask(.PUT, "/v1/surfaces/\(CenterClient.segment(id))", state)
    }

    private func learnSurfaces(_ data: JSONObject) {
        let list = (data["surfaces"]?.array ?? []).compactMap { $0.object.flatMap(Presenter.init) }
        surfaces = data["own"]?.integer.map { (list, Int(clamping: $0)) }
    }

    /// True if the sound of a notification that has come is this watch's to play.
    private func isHeardHere(_ notification: JSONObject) -> Bool {
        guard Self.sounds(notification), let surfaces else { return false }
        let isCritical = notification["present"]?.object?["sound"]?.object?["critical"]?.bool == true
        return InterruptionRule.winners(of: surfaces.list, isCritical: isCritical).sounds.contains(surfaces.own)
    }

    /// Forgets what keys could reach: the centre knows of nothing that was removed meanwhile.
    func reset() {
        guard case .blocks(var view) = format else { return }
        view.clear()
        format = .blocks(view)
    }

    private var filter: WatchFilter {
        switch format {
        case .blocks(let view): view.filter
        case .lines(let filter), .objects(let filter): filter
        }
    }

    private func write(_ name: String, _ data: JSONObject) throws {
        switch format {
        case .blocks(var view):
            let greyed = try name == "removed" ? grey(data) : []
            let lines = view.lines(of: name, data, greyed: greyed)
            format = .blocks(view)
            if name == "delivered", !lines.isEmpty, let id = data["id"]?.string {
                screen?.take(block: id, view.plainLines(of: data))
            }
            try print(lines)
        case .lines(let filter):
            guard filter.takes(name, data), let line = EventLine(name, data).line else { return }
            try Terminal.print(line)
        case .objects(let filter):
            guard filter.takes(name, data) else { return }
            let object: JSONObject = ["event": .string(name), "data": .object(data)]
            try Terminal.print(object)
        }
    }

    /// Shows what is gone in grey where it stands; returns the ids of what was on the screen.
    private func grey(_ removed: JSONObject) throws -> Set<String> {
        guard let size = TerminalStyle.size else { return [] }
        var greyed: Set<String> = []
        for id in (removed["ids"]?.array ?? []).compactMap(\.string) {
            guard let text = screen?.grey(id, on: size) else { continue }
            try Terminal.write(text)
            greyed.insert(id)
        }
        return greyed
    }

    private static func sounds(_ notification: JSONObject) -> Bool {
        let present = notification["present"]?.object
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard present?["sound"]?.object != nil,
            let until = (present?["until"]?.string).flatMap({ try? style.parse($0) })
        else { return false }
        return until > .now
    }

    // MARK: What a person asks for

    /// Carries out what keys complete; false means that the watch is over.
    ///
    /// Bytes behind the end of a text in the same read are a paste of a terminal that marks none, and no keys.
    func press(_ bytes: [UInt8]) async throws -> Bool {
        var typed: String?
        for byte in bytes {
            switch keys.take(byte) {
            case nil: continue
            case .end: return false
            case .typing(let text): typed = text
            case .text(let text):
                try await endReply(text)
                return true
            case .some(let wish): try await carryOut(wish)
            }
        }
        if let typed { try prompt(typed) }
        return true
    }

    private func carryOut(_ wish: WatchKeys.Wish) async throws {
        guard case .blocks(var view) = format else { return }
        switch wish {
        case .end, .text, .typing: break
        case .help: try note("1-9 answer  Enter open  x dismiss  X stack  u undo  o page  z quiet  j/k  q end")
        case .older, .newer:
            let lines = view.move(by: wish == .older ? -1 : 1)
            format = .blocks(view)
            try print(lines)
        case .act(let number): try await act(number, on: view.current)
        case .dismiss:
            guard let id = view.current?["id"]?.string else { return }
            if try await ask(.DELETE, "/v1/notifications/\(id)") != nil { lastDismissed = [id] }
        case .dismissStack: try await dismissStack(of: view.current, upTo: view.newest)
        case .undo: try await undo()
        case .page: try openPage(of: view.current, view.style.page)
        case .quiet: try await toggleQuiet()
        }
    }

    /// Lets the event go on that waits for a text.
    func finish() {
        reply = nil
        waiting?.resume()
        waiting = nil
    }

    private func act(_ number: Int, on notification: JSONObject?) async throws {
        guard let notification, let id = notification["id"]?.string else { return }
        guard number > 0 else { return try await respond(id, "default", nil) }
        let actions = NotificationAction.all(of: notification)
        guard actions.indices.contains(number - 1) else { return try note("\(id) has no action \(number)") }
        let action = actions[number - 1]
        guard action.asksForText else { return try await respond(id, action.identifier, nil) }
        reply = (id, action)
        keys.askForText()
        try prompt("")
    }

    private func endReply(_ text: String?) async throws {
        guard let (id, action) = reply else { return }
        defer { finish() }
        try Terminal.write("\n")
        screen?.take(lineCount: 1)
        if let text { try await respond(id, action.identifier, text) } else { try note("not answered") }
    }

    private func prompt(_ text: String) throws {
        guard let reply, case .blocks(let view) = format else { return }
        let question = DisplayText.clipped(
            "\(reply.id) \(DisplayText.line(reply.action.title)): ",
            to: view.style.columns / 2
        )
        let room = view.style.columns - DisplayText.columns(of: question) - 1
        let shown = DisplayText.end(of: text, columns: room)
        let line = "\r\u{1b}[K" + question + shown
        try Terminal.write(screen == nil ? line : WatchScreen.unwrapped(line))
    }

    private func respond(_ id: String, _ action: String, _ text: String?) async throws {
        var body: JSONObject = ["action": .string(action)]
        body["text"] = text.map(JSON.string)
        _ = try await ask(.POST, "/v1/notifications/\(id)/responses", body)
    }

    /// Dismisses the stack of a notification, as far as it is on the screen.
    private func dismissStack(of notification: JSONObject?, upTo newest: String?) async throws {
        guard let stack = notification?["stack"]?.string, let newest else { return }
        let target = "/v1/stacks/\(CenterClient.segment(stack))?upTo=\(newest)"
        guard let answer = try await ask(.DELETE, target) else { return }
        lastDismissed = (answer["ids"]?.array ?? []).compactMap(\.string)
    }

    /// Brings back what the last key dismissed; what the centre refuses stays gone.
    private func undo() async throws {
        // The newest one comes last, so that it is on top again.
        let ids = lastDismissed.sorted { Int64($0) ?? 0 < Int64($1) ?? 0 }
        lastDismissed = []
        for id in ids {
            guard try await ask(.POST, "/v1/history/\(CenterClient.segment(id))/restore", [:]) != nil else { return }
        }
    }

    private func openPage(of notification: JSONObject?, _ page: CenterPage?) throws {
        guard let page else { return try note("the centre has no page: serve it with --http PORT") }
        let address = notification?["app"]?.string.map(page.address(of:)) ?? page.address
        guard !Browser.open(address) else { return }
        try note("no browser was started: open")
        // A terminal breaks an address that is too long, so that nobody counts its rows.
        try Terminal.print(address)
        screen?.lose()
    }

    private func toggleQuiet() async throws {
        guard let owner = try await ask(.GET, "/v1/owner") else { return }
        let isQuiet = owner["isQuiet"]?.bool == true
        let end = Date.now.addingTimeInterval(3_600)
        let wish: JSONObject =
            isQuiet
            ? ["mode": "off"]
            : [
                "mode": "until",
                "until": .string(end.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
            ]
        guard try await ask(.PATCH, "/v1/owner", ["doNotDisturb": .object(wish)]) != nil else { return }
        try note(isQuiet ? "Do Not Disturb is off" : "Do Not Disturb for an hour; z ends it")
    }

    /// Returns the centre's answer; `nil` after a refusal, which is written for the person.
    private func ask(
        _ method: HTTPMethod,
        _ target: String,
        _ body: JSONObject? = nil
    ) async throws -> JSONObject? {
        do { return try await client.ask(method, target, body) } catch let failure as Failure {
            try note(failure.message)
            return nil
        }
    }

    private func note(_ text: String) throws {
        guard case .blocks(let view) = format else { return }
        try print([view.note(text)])
    }

    private func print(_ lines: [String]) throws {
        guard !lines.isEmpty else { return }
        let text = lines.map { $0 + "\n" }.joined()
        try Terminal.write(screen == nil ? text : WatchScreen.unwrapped(text))
        screen?.take(lineCount: lines.count)
    }
}
