// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// The desktop files that the apps of one centre are to have.
package struct OwnDesktopFiles: Sendable {
    /// An app that names no desktop file.
    private struct App: Sendable {
        let name: String
        /// The words of the centre that were told last, but for the number of notifications: it changes untold.
        let told: JSONObject
        /// True if the centre has a picture of the app.
        let hasPicture: Bool
        /// True if the picture is to be fetched.
        var isDue = false
        /// True if the picture is none that desktops get.
        var isRefused = false
    }

    /// Files of one centre; of more apps the first ones by their topics have some.
    package static let limit = 256
    /// Apps of one centre.
    private static let appLimit = 1_000

    private let center: String
    private let command: @Sendable (String) -> [String]
    private var apps: [String: App] = [:]
    private var told: [OwnDesktopFile]?

    /// Takes what a file says of its centre, and the command that opens the page of a topic.
    package init(center: String, command: @escaping @Sendable (String) -> [String]) {
        (self.center, self.command) = (center, command)
    }

    /// Takes all apps of the centre, whose pictures are all fetched anew.
    package mutating func take(front: JSONObject) {
        apps = [:]
        for case .object(let app) in front["apps"]?.array ?? [] { take(app: app) }
    }

    /// Takes what the centre tells of an app.
    ///
    /// The path of a picture is always the same. An app that is told without a difference may have another picture.
    package mutating func take(app: JSONObject) {
        guard let topic = app["app"]?.string else { return }
        let isNamed = app["desktopEntry"]?.string.flatMap(DesktopEntry.init) != nil
        guard !isNamed, app["removed"] != true, apps[topic] != nil || apps.count < Self.appLimit else {
            apps[topic] = nil
            return
        }
        let former = apps[topic]
        var words = app
        words["stored"] = nil
        var new = App(name: app["name"]?.string ?? topic, told: words, hasPicture: app["icon"]?.string != nil)
        if new.hasPicture, let former, former.hasPicture {
            new.isDue = former.isDue || former.told == words
            new.isRefused = former.isRefused
        } else {
            new.isDue = new.hasPicture
        }
        apps[topic] = new
    }

    /// Returns all files that are to be there, if they are others than were returned last.
    package mutating func changes() -> [OwnDesktopFile]? {
        let wanted = Array(files.map(\.file).prefix(Self.limit))
        guard wanted != told else { return nil }
        told = wanted
        return wanted
    }

    private var files: [(topic: String, file: OwnDesktopFile)] {
        apps.sorted { $0.key < $1.key }.compactMap { topic, app in file(of: topic, app).map { (topic, $0) } }
    }

    private func file(of topic: String, _ app: App) -> OwnDesktopFile? {
        OwnDesktopFile(
            of: topic,
            called: app.name,
            hasPicture: app.hasPicture && !app.isRefused,
            command: command(topic),
            center: center
        )
    }

    // MARK: Pictures

    /// Returns the topic of an app whose picture is to be fetched now; `nil` means that there is none.
    package mutating func nextPicture() -> String? {
        guard apps.contains(where: { $0.value.isDue }) else { return nil }
        let next = files.prefix(Self.limit).first { apps[$0.topic]?.isDue == true }?.topic
        if let next { apps[next]?.isDue = false }
        return next
    }

    /// The name of the desktop file of an app that has a picture; `nil` means that none is wanted any more.
    package func fileWithPicture(of topic: String) -> String? {
        apps[topic].flatMap { $0.hasPicture ? file(of: topic, $0)?.name : nil }
    }

    /// Takes whether the picture of an app lies in its place.
    package mutating func take(hasPicture: Bool, of topic: String) { apps[topic]?.isRefused = !hasPicture }

    /// Takes that nobody has answered for a picture.
    package mutating func takeNoAnswer(of topic: String) {
        guard apps[topic]?.hasPicture == true else { return }
        apps[topic]?.isDue = true
    }
}
