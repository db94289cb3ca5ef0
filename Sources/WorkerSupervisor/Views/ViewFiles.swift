// SPDX-License-Identifier: Apache-2.0

import Dispatch
import HostRuntime
import Logging
import SceneModel

/// Takes the files that views name out of their processes' folders, one after the other, and has them copied and
/// judged.
///
/// A file that is refused costs the view nothing else: nodes that name it draw nothing. The loop's thread alone calls
/// this; copying takes other threads, and what comes back from them finds its view by number.
final class ViewFiles {
    private let courier: ScratchCourier
    private let gifts: ViewGifts
    private let logger: Logger
    private let timetable: Timetable<ViewFiles>
    private weak var delegate: (any ViewFinding)?

    init(
        _ equipment: Equipment,
        courier: ScratchCourier,
        gifts: ViewGifts,
        timetable: Timetable<ViewFiles>
    ) {
        self.courier = courier
        self.gifts = gifts
        logger = equipment.logger
        self.timetable = timetable
    }

    /// No view may name a file before this.
    func join(_ delegate: any ViewFinding) { self.delegate = delegate }

    /// Goes on with the files of a view.
    func serve(_ view: ViewProcess) {
        for excess in view.shelf.takeExcess(named: { view.namedFiles }) {
            note(excess, of: view, .tooMany)
            courier.removeLeft(excess.path, of: view.site)
        }
        while view.life.isOpen {
            switch view.shelf.next(now: timetable.now) {
            case .rest: return
            case .copy(let wanted):
                if let gift = gifts.gift(at: wanted.path, of: view) {
                    make(wanted, of: view) { () throws(AttachmentRefusal) in try ShownFile(wanted.number, gift) }
                    continue
                }
                // What has such a name and was not given is the app's own, and stays where it is.
                guard !wanted.path.hasPrefix(SceneFile.givenPrefix) else {
                    refuse(wanted, of: view, .notFound)
                    continue
                }
                guard let name = ScratchName(wanted.path) else {
                    refuse(wanted, of: view, .badName)
                    continue
                }
                take(name, wanted, of: view)
            case .pause:
                let serial = view.serial
                _ = timetable.schedule(at: timetable.now + ViewShelf.pause) { files in
                    guard let view = files.delegate?.view(serial) else { return }
                    view.shelf.settle()
                    files.serve(view)
                }
            }
        }
    }

    /// A view is gone: without a root of its own its files would stay in the app's folder.
    func forget(_ view: ViewProcess) {
        for wanted in view.shelf.clear() { courier.removeLeft(wanted.path, of: view.site) }
    }

    private func take(_ name: ScratchName, _ wanted: SceneFile, of view: ViewProcess) {
        guard let store = courier.store else { return refuse(wanted, of: view, .storeFailed) }
        let serial = view.serial
        courier.take(name, from: view, nil) { [weak self] opened in
            // Nobody sees it any more.
            guard let self, let view = delegate?.view(serial), view.life.isOpen else { return }
            switch opened {
            case .failure(let refusal):
                refuse(wanted, of: view, refusal)
                serve(view)
            case .success(let file):
                let app = view.site.app
                make(wanted, of: view) { () throws(AttachmentRefusal) in
                    try ShownFile(wanted.number, named: name, copying: file, of: app, in: store)
                }
            }
        }
    }

    /// Has a file judged, and copied where it must be, on a thread that may block.
    private func make(
        _ wanted: SceneFile,
        of view: ViewProcess,
        _ body: @escaping @Sendable () throws(AttachmentRefusal) -> ShownFile
    ) {
        Self.queue.async { [timetable, serial = view.serial] in
            let made = Result(catching: body)
            timetable.perform { $0.made(made, wanted, of: serial) }
        }
    }

    private func made(_ result: Result<ShownFile, AttachmentRefusal>, _ wanted: SceneFile, of serial: UInt64) {
        // Closed meanwhile: the copy goes with its last reference.
        guard let view = delegate?.view(serial), view.life.isOpen else { return }
        switch result {
        case .failure(let refusal): refuse(wanted, of: view, refusal)
        case .success(let file):
            if let gone = view.shelf.keep(file, named: view.namedFiles) {
                view.shelf.settle()
                view.tell(.picture(file, gone: gone))
            } else {
                refuse(wanted, of: view, .tooMany)
            }
        }
        serve(view)
    }

    private func refuse(_ wanted: SceneFile, of view: ViewProcess, _ refusal: AttachmentRefusal) {
        view.shelf.settle()
        note(wanted, of: view, refusal)
    }

    /// Logs a refusal; only the first one of a view is for the operator, so that a view fills no log.
    private func note(_ wanted: SceneFile, of view: ViewProcess, _ refusal: AttachmentRefusal) {
        let level: Logger.Level = view.hasRefusedFile ? .debug : .notice
        view.hasRefusedFile = true
        logger.noteView(
            "file of a view refused",
            ["file": "\(wanted.number)", "reason": "\(refusal.rawValue)"],
            level: level,
            of: view.site,
            view.pid
        )
    }

    /// Reading and writing may block; never on the supervisor's thread.
    private static let queue = DispatchQueue(label: "view-files", attributes: .concurrent)
}
