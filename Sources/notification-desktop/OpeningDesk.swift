// SPDX-License-Identifier: Apache-2.0

import CenterAsking
import DesktopPresenter
import Locking

/// The pages and apps that clicks lead to, opened in the order of the clicks.
actor OpeningDesk {
    private let opener: PageOpener?
    private let starter: AppStarter
    private let clock: any Clock<Duration>
    private let work = Signal()
    private var queue = OpeningQueue()

    /// Takes what opens addresses, if the desktop has something, and what starts apps.
    init(_ opener: PageOpener?, _ starter: AppStarter, _ clock: any Clock<Duration> = ContinuousClock()) {
        (self.opener, self.starter, self.clock) = (opener, starter, clock)
    }

    /// Has something opened; returns what gives way to it, and is opened by nobody.
    func add(_ opening: Opening) -> Opening? {
        let gone = queue.add(opening)
        if gone != nil { Voice.say("too many clicks wait for a browser: the oldest one opens nothing") }
        work.raise()
        return gone
    }

    /// Opens what clicks lead to, and tells of each whether it was opened, until it is cancelled.
    func run(_ tell: @escaping @Sendable (Opening, _ wasOpened: Bool) async -> Void) async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                while let opening = queue.next() { group.addTask { await self.open(opening, tell) } }
                await work.wait()
            }
        }
    }

    private func open(_ opening: Opening, _ tell: (Opening, Bool) async -> Void) async {
        var wasOpened = false
        var fault: Failure?
        do throws(Failure) { wasOpened = try await starter.open(opening, clock) } catch { fault = error }
        if let fault { Voice.report(fault) }
        if !wasOpened, let address = opening.address {
            wasOpened = await opener?.open(address, with: opening.token, clock) ?? false
        }
        queue.takeVerdict()
        if !wasOpened, opening.address != nil || fault == nil { report(opening) }
        await tell(opening, wasOpened)
        work.raise()
    }

    /// Says that nothing was opened or started; the address of an app may have words of a notification.
    private func report(_ opening: Opening) {
        guard let address = opening.address else {
            let id = opening.entry?.id ?? ""
            let hint = "name one that starts a program: apps[].center.desktop-entry, or url beside it"
            return Voice.report(Failure("no program of the desktop file \"\(id)\" was started", hint: hint))
        }
        let (what, hint) =
            opening.isPage
            ? ("no browser took the page", "open \(address.text)")
            : ("no browser took the address of an app", "xdg-settings set default-web-browser NAME.desktop")
        Voice.report(Failure(what, hint: hint))
    }
}
