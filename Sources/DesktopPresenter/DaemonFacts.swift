// SPDX-License-Identifier: Apache-2.0

/// The facts that a notification daemon states of itself, and what follows from them.
///
/// Source: Desktop Notifications Specification 1.2, "GetCapabilities" and "GetServerInformation".
package struct DaemonFacts: Sendable, Equatable {
    /// The meaning of a popup that a person closes without choosing an action.
    package enum Dismissal: String, Sendable, CaseIterable {
        /// The notification is dismissed in the centre.
        case remove
        /// The notification stays a row of the centre.
        case keep
        /// The daemon's habit decides: `keep` for dunst, where the left click on a popup only closes it.
        case automatic
    }

    package var name: String
    package var version: String
    package var capabilities: Set<String>

    package init(name: String = "", version: String = "", capabilities: Set<String> = []) {
        self.name = name
        self.version = version
        self.capabilities = capabilities
    }

    /// True if popups have buttons, or a click on a popup is told.
    package var hasActions: Bool { capabilities.contains("actions") }
    /// True if a popup has a second text.
    package var hasBody: Bool { capabilities.contains("body") }
    /// True if the second text is read as markup, so that what a sender writes has to be escaped.
    ///
    /// dunst 1.9.0 without the key `markup` in its configuration reads markup and does not state the capability.
    package var readsMarkup: Bool { capabilities.contains("body-markup") || isDunst }
    private var isDunst: Bool { name == "dunst" }

    /// True if a popup may have a field for an answer.
    package var hasReplyField: Bool { capabilities.contains("inline-reply") }
    /// True if the daemon plays sounds.
    package var playsSounds: Bool { capabilities.contains("sound") }
    /// True if an app's own sound is handed over, as the portal takes it.
    package var takesSounds: Bool { capabilities.contains(Self.takingSounds) }

    /// The capability of the portal, for which the specification of daemons has no word.
    package static let takingSounds = "x-nestbox-sound-bytes"

    /// True if a popup that a person closes leaves its notification in the centre.
    package func keeps(_ wish: Dismissal) -> Bool {
        switch wish {
        case .remove: false
        case .keep: true
        case .automatic: isDunst
        }
    }
}

/// The inquiry about the daemon of a session bus: each one that takes the name is asked anew.
package struct DaemonInquiry: Sendable {
    /// The change that an answer of the bus makes.
    package enum Change: Sendable, Equatable {
        /// The owner of this unique name is to be asked for its capabilities and its information.
        case ask(String)
        /// The daemon of this unique name has stated its facts.
        case came(String, DaemonFacts)
        case went
        /// Nobody is there to be a daemon, and nobody was.
        case absent
    }

    /// Capabilities that are kept of a daemon, and the bytes of a text that it states.
    private static let capabilityLimit = 64
    private static let textLimit = 128

    /// The unique name of the daemon; `nil` means that nobody has the name.
    private var owner: String?
    private var capabilities: Set<String>?
    private var information: (name: String, version: String)?
    /// True if a daemon has stated its facts since the beginning.
    private var hasCome = false

    package init() {}

    /// Takes who has the daemon's name now; `nil` means nobody.
    ///
    /// A daemon that follows another at once is a new one: `went` comes before `ask`.
    package mutating func take(owner: String?) -> [Change] {
        guard owner != self.owner else { return [] }
        let former = self.owner
        self.owner = owner
        (capabilities, information) = (nil, nil)
        return (former == nil ? [] : [.went]) + (owner.map { [.ask($0)] } ?? [])
    }

    /// Takes the capabilities of a daemon; one that refuses to state them has none.
    package mutating func take(capabilities: [String], of daemon: String) -> [Change] {
        guard daemon == owner, self.capabilities == nil else { return [] }
        self.capabilities = Set(
            capabilities.prefix(Self.capabilityLimit).filter { $0.utf8.count <= Self.textLimit }
        )
        return complete()
    }

    /// Takes the information of a daemon; one that refuses to state it has no name.
    package mutating func take(name: String, version: String, of daemon: String) -> [Change] {
        guard daemon == owner, information == nil else { return [] }
        information = (Self.cut(name), Self.cut(version))
        return complete()
    }

    /// Takes that a program which has the name is no daemon.
    ///
    /// One that has given the name up since says nothing, and behind a daemon the next one is waited for.
    package func take(refusalOf daemon: String) -> [Change] { daemon == owner && !hasCome ? [.absent] : [] }

    /// Takes that nobody was started for the name; a daemon that took it meanwhile counts.
    package func takeNoStart() -> [Change] { owner == nil && !hasCome ? [.absent] : [] }

    private mutating func complete() -> [Change] {
        guard let owner, let capabilities, let information else { return [] }
        hasCome = true
        let facts = DaemonFacts(name: information.name, version: information.version, capabilities: capabilities)
        return [.came(owner, facts)]
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count <= textLimit ? text : String(text.unicodeScalars.prefix(textLimit / 4))
    }
}
