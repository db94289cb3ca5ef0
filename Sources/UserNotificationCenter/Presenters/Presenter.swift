// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// A view of an owner's notifications that may interrupt a person: the tabs of a browser, a desktop, a terminal.
///
/// Source: presenters.md §5.
package struct Presenter: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// All tabs of one browser.
        case page
        case desktop
        case terminal
    }

    /// The state that a presenter says of itself; one that has said nothing interrupts nobody.
    package struct State: Sendable, Equatable {
        /// True if a person could see it now.
        package var isVisible = false
        /// True if what a person types goes to it.
        package var isFocused = false
        package var showsBanners = false
        package var playsSounds = false

        package init() {}
    }

    package let kind: Kind
    /// True if the presenter is on the centre's own machine.
    package let isLocal: Bool
    package var state = State()

    package init(_ kind: Kind, isLocal: Bool) {
        self.kind = kind
        self.isLocal = isLocal
    }
}

// MARK: The API

extension Presenter {
    package var json: JSONObject {
        [
            "kind": .string(kind.rawValue), "local": .bool(isLocal), "visible": .bool(state.isVisible),
            "focused": .bool(state.isFocused), "banners": .bool(state.showsBanners),
            "sound": .bool(state.playsSounds),
        ]
    }

    /// Reads what `json` writes; `nil` means that a member is missing or of another kind.
    package init?(_ object: JSONObject) {
        guard let kind = object["kind"]?.string.flatMap(Kind.init(rawValue:)), let isLocal = object["local"]?.bool,
            let state = State(object)
        else { return nil }
        self.kind = kind
        self.isLocal = isLocal
        self.state = state
    }
}

extension Presenter.State {
    /// The members of a state, all of which have to be there.
    package static let members = ["visible", "focused", "banners", "sound"]

    /// `nil` means that a member is missing or is no truth value.
    package init?(_ object: JSONObject) {
        let values = Self.members.compactMap { object[$0]?.bool }
        guard values.count == Self.members.count else { return nil }
        (isVisible, isFocused, showsBanners, playsSounds) = (values[0], values[1], values[2], values[3])
    }
}
