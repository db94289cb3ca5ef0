// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol

extension AppPermission {
    /// Goes on to the next phase.
    package mutating func apply(_ event: Event) -> Action {
        switch event {
        case .authorize(let options, let isGrantedByOperator):
            authorize(options.intersection(.known), isGrantedByOperator: isGrantedByOperator)
        case .decide(let decision): decide(decision)
        case .allow(let isAllowed): allow(isAllowed)
        }
    }

    private mutating func authorize(_ options: AuthorizationOptions, isGrantedByOperator: Bool) -> Action {
        let isProvisional = options.contains(.provisional)
        let wanted = options.subtracting(.provisional)
        hasAsked = true
        switch phase {
        case .notDetermined where isGrantedByOperator, .provisional where isGrantedByOperator:
            settle(.authorized, wanted)
            return .answer(true)
        case .asking where isGrantedByOperator, .askingWhileProvisional where isGrantedByOperator:
            settle(.authorized, wanted)
            return .conclude(true)
        case .notDetermined where isProvisional:
            settle(.provisional, wanted)
            return .answer(true)
        case .asking where isProvisional:
            // The question stays: it was asked for the whole permission, and only the owner closes it.
            settle(.askingWhileProvisional, wanted)
            return .answer(true)
        case .provisional where isProvisional, .askingWhileProvisional where isProvisional:
            add(wanted)
            return .answer(true)
        case .notDetermined: return open(.asking, wanted)
        case .provisional: return open(.askingWhileProvisional, wanted)
        case .asking, .askingWhileProvisional:
            guard !asked.isSuperset(of: wanted) else { return .wait }
            return open(phase, wanted)
        case .authorized:
            add(wanted)
            return .answer(true)
        case .denied:
            return .answer(false)
        }
    }

    private mutating func decide(_ decision: Decision) -> Action {
        switch (phase, decision) {
        case (.asking, .allow(let unticked)), (.askingWhileProvisional, .allow(let unticked)):
            settle(.authorized, without: unticked)
            return .conclude(true)
        case (.askingWhileProvisional, .keep):
            settle(.authorized)
            return .conclude(true)
        case (.asking, .deny), (.askingWhileProvisional, .deny), (.askingWhileProvisional, .turnOff):
            settle(.denied)
            return .conclude(false)
        case (.provisional, .allow(let unticked)):
            settle(.authorized, without: unticked)
            return .changed
        case (.provisional, .keep):
            settle(.authorized)
            return .changed
        case (.notDetermined, .allow(let unticked)):
            // An app that only sends pushes never asks, so its owner allows it unasked.
            settle(.authorized, .parts, without: unticked)
            return .changed
        case (.provisional, .deny), (.provisional, .turnOff), (.notDetermined, .deny):
            settle(.denied)
            return .changed
        case (.notDetermined, .keep), (.notDetermined, .turnOff), (.asking, .keep), (.asking, .turnOff),
            (.authorized, _), (.denied, _):
            return .tooLate
        }
    }

    /// Turns the app on or off; a question that is open is answered by that.
    private mutating func allow(_ isAllowed: Bool) -> Action {
        switch phase {
        case .notDetermined, .provisional, .asking, .askingWhileProvisional:
            return decide(isAllowed ? .allow(without: []) : .deny)
        case .authorized:
            guard !isAllowed else { return .unchanged }
            // The switches stay as they are, for the day on which the owner turns the app on again.
            phase = .denied
            return .changed
        case .denied:
            guard isAllowed else { return .unchanged }
            if !hasAsked, asked.isEmpty {
                // Denied before it ever asked, and now allowed unasked.
                settle(.authorized, .parts)
            } else {
                phase = .authorized
            }
            return .changed
        }
    }

    private mutating func open(_ next: Phase, _ wanted: AuthorizationOptions) -> Action {
        phase = next
        asked.formUnion(wanted)
        return .ask(asked)
    }

    /// Takes the options that were asked for, and sets the switches to them.
    ///
    /// A denied app has its switches as well: they hold from the day on which its owner turns the app on.
    private mutating func settle(
        _ next: Phase,
        _ options: AuthorizationOptions = [],
        without unticked: AuthorizationOptions = []
    ) {
        phase = next
        asked.formUnion(options)
        settings.turn(off: .parts)
        settings.turn(on: asked.subtracting(unticked))
        settings.turn(off: unticked)
    }

    /// Adds options that the app asks for later: the new ones are on.
    private mutating func add(_ options: AuthorizationOptions) {
        let new = options.subtracting(asked)
        asked.formUnion(new)
        settings.turn(on: new)
    }
}

extension AuthorizationOptions {
    /// The parts of a question that an owner can untick, and those of an app that is allowed unasked.
    package static let parts: AuthorizationOptions = [.alert, .sound, .badge]

    /// Every option that has a word; other bits of a call mean nothing.
    static let known = words.reduce(into: AuthorizationOptions()) { $0.formUnion($1.option) }
}

extension InstallationSettings {
    mutating func turn(on options: AuthorizationOptions) { turn(options, isOn: true) }
    mutating func turn(off options: AuthorizationOptions) { turn(options, isOn: false) }

    private mutating func turn(_ options: AuthorizationOptions, isOn: Bool) {
        if options.contains(.alert) { alert = isOn }
        if options.contains(.sound) { sound = isOn }
        if options.contains(.badge) { badge = isOn }
        if options.contains(.criticalAlert) { criticalAlert = isOn }
        if options.contains(.timeSensitive) { timeSensitive = isOn }
    }
}
