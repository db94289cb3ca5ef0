// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Dispatch
import HostRuntime
import Keychain
import Logging

/// The part of the views' owner that knows a view by its number.
protocol ViewFinding: AnyObject {
    /// Returns the view with the number; `nil` means that it is no more.
    func view(_ serial: UInt64) -> ViewProcess?
}

/// Answers what views ask of their keychains and hands on what they call of their notification centres.
///
/// Both are those of the app and owner whose view asks, whatever it says: no message names them. The loop's thread
/// alone calls this.
final class ViewQuestions {
    private let equipment: Equipment
    private let timetable: Timetable<ViewQuestions>
    private weak var delegate: (any ViewFinding)?
    /// The rate of each site's calls to the centre, however many views it has one after the other.
    private var centerCalls: [Int: CallRate] = [:]

    init(_ equipment: Equipment, timetable: Timetable<ViewQuestions>) {
        self.equipment = equipment
        self.timetable = timetable
    }

    /// No view may ask before this.
    func join(_ delegate: any ViewFinding) { self.delegate = delegate }

    func ask(_ call: KeychainCall, of view: ViewProcess) {
        guard view.life.takesEvents, view.takeKeychainCall(now: timetable.now),
            let keychain = equipment.configuration.keychain
        else {
            return view.answer(.failed)
        }
        let (serial, site) = (view.serial, view.site)
        equipment.keychainQueue.async { [timetable] in
            let answer = keychain(call, site.app, site.isFirst)
            timetable.perform { $0.answer(answer, to: serial) }
        }
    }

    private func answer(_ answer: KeychainAnswer, to serial: UInt64) {
        guard let view = delegate?.view(serial) else { return }
        if answer == .failed { equipment.logger.noteView("keychain failed", of: view.site, view.pid) }
        view.answer(answer)
    }

    /// Hands a call on; before the view is open and behind its end, beyond the rate, without a centre, and with files
    /// it fails.
    func call(_ id: UInt64, _ call: CenterCall, of view: ViewProcess) {
        let site = view.site
        var isWithFiles = false
        if case .add(let request) = call { isWithFiles = !request.attachments.isEmpty }
        guard centerCalls[site.index, default: .worker].take(at: timetable.now), view.life.takesEvents, !isWithFiles,
            let center = equipment.configuration.center
        else { return view.answer(.failed(.notAllowed), to: id) }
        let serial = view.serial
        center(call, [], site.app) { [timetable] answer in
            timetable.perform { $0.delegate?.view(serial)?.answer(answer, to: id) }
        }
    }
}

extension Logger {
    /// Notes something of a site's view; the process is named once there is one.
    func noteView(
        _ text: Message,
        _ facts: Metadata = [:],
        level: Level = .notice,
        of site: ExtensionSite,
        _ pid: Int32 = 0
    ) {
        var metadata = facts
        metadata["push.topic"] = "\(site.configuration.app)"
        if pid > 0 { metadata["worker.pid"] = "\(pid)" }
        log(level: level, text, metadata: metadata)
    }
}
