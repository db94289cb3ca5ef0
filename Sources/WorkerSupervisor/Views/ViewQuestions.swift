// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Dispatch
import HostRuntime
import Keychain

/// Answers what views ask of their keychains and hands on what they call of their notification centres.
///
/// Both are those of the app and owner whose view asks, whatever it says: no message names them.
struct ViewQuestions {
    private let equipment: Equipment
    private let timetable: Timetable<ViewDesk>
    /// The rate of each site's calls to the centre, however many views it has one after the other.
    private var centerCalls: [Int: CallRate] = [:]

    init(_ equipment: Equipment, timetable: Timetable<ViewDesk>) {
        self.equipment = equipment
        self.timetable = timetable
    }

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

    /// Hands a call on; before the view is open and behind its end, beyond the rate, without a centre, and with files it
    /// fails.
    mutating func call(_ id: UInt64, _ call: CenterCall, of view: ViewProcess) {
        let site = view.site
        var isWithFiles = false
        if case .add(let request) = call { isWithFiles = !request.attachments.isEmpty }
        guard centerCalls[site.index, default: .worker].take(at: timetable.now), view.life.takesEvents, !isWithFiles,
            let center = equipment.configuration.center
        else { return view.answer(.failed(.notAllowed), to: id) }
        let serial = view.serial
        center(call, [], site.app) { [timetable] answer in
            timetable.perform { $0.answer(answer, to: id, of: serial) }
        }
    }
}
