// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import HostRuntime
import Logging
import NotificationPayload
import WorkerProtocol

/// The part of the views' owner that hands a word on once the files of it are there.
protocol ViewGiftsDelegate: ViewFinding {
    func pass(_ word: ViewWord, numbered number: UInt64, to view: ViewProcess)
}

/// Puts the files of notifications into the folders of the processes that show them, before these hear of them.
///
/// A file that does not fit is left out, and the view has the others. The loop's thread alone calls this; copying takes
/// other threads, and what comes back from them finds its view by number.
final class ViewGifts {
    /// The files of one notification on their way.
    private struct Delivery {
        var rest: ArraySlice<ViewAttachment>
        var byteCount = 0
        var there: [ScratchAttachment] = []
        let done: ([ScratchAttachment]) -> Void
    }

    private let courier: ScratchCourier
    private let serials: SerialNumbers
    private let logger: Logger
    private let timetable: Timetable<ViewGifts>
    private weak var delegate: (any ViewGiftsDelegate)?
    /// At most one of each view, by its number.
    private var deliveries: [UInt64: Delivery] = [:]
    /// The files that each view was given, by its number, the oldest first; of old ones their paths alone.
    private var given: [UInt64: [(path: String, attachment: ViewAttachment?)]] = [:]
    /// Files of one view that stay open.
    private static let openLimit = 2 * RequestAttachment.limit

    init(_ equipment: Equipment, courier: ScratchCourier, timetable: Timetable<ViewGifts>) {
        self.courier = courier
        serials = equipment.serials
        logger = equipment.logger
        self.timetable = timetable
    }

    /// Nothing may be put before this.
    func join(_ delegate: any ViewGiftsDelegate) { self.delegate = delegate }

    /// Hands a word on once the files of it are there, and behind the words before it; false if too many wait.
    func hand(_ word: ViewWord, _ files: [ViewAttachment], numbered number: UInt64, to view: ViewProcess) -> Bool {
        guard view.heldWords.count < ViewRules.unreadEvents else { return false }
        view.heldWords.append((word, files, number))
        handHeld(to: view)
        return true
    }

    /// Hands on what waits, up to the next word with files.
    private func handHeld(to view: ViewProcess) {
        while !view.awaitsFiles, !view.heldWords.isEmpty, view.life.isOpen {
            let (word, files, number) = view.heldWords.removeFirst()
            guard case .notification(var notification) = word, !files.isEmpty else {
                delegate?.pass(word, numbered: number, to: view)
                continue
            }
            put(files, to: view) { [weak self] attachments in
                notification.attachments = attachments
                self?.delegate?.pass(.notification(notification), numbered: number, to: view)
                self?.handHeld(to: view)
            }
        }
    }

    /// Puts files into a view's folder, one after the other; a view gets those of one notification at a time.
    ///
    /// `done` is called with those that are there, at once where there is nothing to do; it is not called for a view that
    /// is gone by then.
    func put(
        _ files: [ViewAttachment],
        to view: ViewProcess,
        done: @escaping ([ScratchAttachment]) -> Void
    ) {
        guard view.hasScratch else {
            for file in files { note(file, of: view, "no scratch folder") }
            return done([])
        }
        view.awaitsFiles = true
        deliveries[view.serial] = Delivery(rest: files[...], done: done)
        putNext(to: view)
    }

    /// A view is gone: without a root of its own its files would stay in the app's folder.
    func forget(_ view: ViewProcess) {
        deliveries[view.serial] = nil
        for (path, _) in given.removeValue(forKey: view.serial) ?? [] { courier.removeLeft(path, of: view.site) }
    }

    /// The file of a notification that a view was given under a path of its folder; `nil` means that there is none.
    ///
    /// The view may have written something else there, which nobody sees then.
    func gift(at path: String, of view: ViewProcess) -> ViewAttachment? {
        given[view.serial]?.first { $0.path == path }?.attachment
    }

    private func putNext(to view: ViewProcess) {
        guard view.life.isOpen, let delivery = deliveries[view.serial] else {
            deliveries[view.serial] = nil
            return
        }
        guard let file = delivery.rest.first else {
            deliveries[view.serial] = nil
            view.awaitsFiles = false
            return delivery.done(delivery.there)
        }
        guard delivery.byteCount + file.byteCount <= ViewAttachment.byteCountInAll else {
            return settle(file, nil, of: view, "too many bytes")
        }
        let name = "tmp/shown-\(serials.next()).\(file.type.preferredPathExtension)"
        let serial = view.serial
        courier.make(name, for: view) { [weak self] made in
            // Nobody sees it any more.
            guard let self, let view = delegate?.view(serial) else { return }
            switch made {
            case .failure(let error): settle(file, nil, of: view, "\(error)")
            case .success(let target): fill(target, name, file, of: view)
            }
        }
    }

    private func fill(_ target: OpenFile, _ name: String, _ file: ViewAttachment, of view: ViewProcess) {
        var own = given[view.serial] ?? []
        own.append((name, file))
        if own.count > Self.openLimit { own[own.count - 1 - Self.openLimit].attachment = nil }
        given[view.serial] = own
        courier.fill(target, with: file, for: view.site) { [timetable, serial = view.serial] error in
            timetable.perform { gifts in
                guard let view = gifts.delegate?.view(serial) else { return }
                gifts.settle(file, error == nil ? name : nil, of: view, error.map { "\($0)" } ?? "")
            }
        }
    }

    /// Goes on behind a file that is there under a name, or that is left out for a reason.
    private func settle(_ file: ViewAttachment, _ name: String?, of view: ViewProcess, _ reason: String) {
        guard var delivery = deliveries[view.serial] else { return }
        delivery.rest = delivery.rest.dropFirst()
        if let name {
            delivery.byteCount += file.byteCount
            delivery.there.append(
                ScratchAttachment(identifier: file.identifier, path: name, type: file.type.identifier)
            )
        } else {
            note(file, of: view, reason)
        }
        deliveries[view.serial] = delivery
        putNext(to: view)
    }

    private func note(_ file: ViewAttachment, of view: ViewProcess, _ reason: String) {
        logger.noteView(
            "file of the notification not given to the view",
            ["type": "\(file.type.identifier)", "error": "\(reason)"],
            of: view.site,
            view.pid
        )
    }
}
