// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Logging
import NotificationPayload
import SceneModel
import WorkerProtocol

/// The part of the views' owner that hands a word on once the files of it are there.
protocol ViewGiftsDelegate: ViewFinding {
    func pass(_ word: ViewWord, numbered number: UInt64, to view: ViewProcess)
}

/// Puts the files of notifications into the folders of the processes that show them, before these hear of them.
///
/// A file that does not fit, or is not there in time, is left out, and the view has the others. The loop's thread alone
/// calls this; copying takes other threads, and what comes back from them finds its view by number.
final class ViewGifts {
    /// The longest time for the files of one notification: with the time for a word on a response it is less than a
    /// centre waits for that.
    private static let time = Duration.seconds(2)

    /// The files of one notification on their way.
    private struct Delivery {
        var rest: ArraySlice<ViewAttachment>
        let end: Duration
        var byteCount = 0
        var there: [ScratchAttachment] = []
        let done: ([ScratchAttachment]) -> Void
    }

    private let courier: ScratchCourier
    private let serials: SerialNumbers
    private let logger: Logger
    private let timetable: Timetable<ViewGifts>
    private weak var delegate: (any ViewGiftsDelegate)?
    private let places = GiftPlaces()
    /// The deliveries under way, at most one for each view, by the view's number.
    private var deliveries: [UInt64: Delivery] = [:]
    /// The files that each view has, by its number.
    private var shelves: [UInt64: GiftShelf] = [:]

    init(_ equipment: Equipment, courier: ScratchCourier, timetable: Timetable<ViewGifts>) {
        self.courier = courier
        serials = equipment.serials
        logger = equipment.logger
        self.timetable = timetable
    }

    /// Nothing may be put before this.
    func join(_ delegate: any ViewGiftsDelegate) { self.delegate = delegate }

    /// Takes files of a view in, as many as may be open.
    func admit(_ files: [ViewAttachment], of view: UInt64) -> [ViewAttachment] {
        let admitted = files.admitted(to: places, of: view)
        if admitted.count < files.count {
            logger.notice("files of a notification left out: views have too many open")
        }
        return admitted
    }

    /// Hands a word on once the files of it are there, and behind the words before it; false if too many wait.
    func hand(_ word: ViewWord, _ files: [ViewAttachment], numbered number: UInt64, to view: ViewProcess) -> Bool {
        guard view.heldWords.count < ViewRules.unreadEvents else { return false }
        view.heldWords.append((word, files, number))
        handHeld(to: view)
        return true
    }

    /// Hands on what waits, up to the next word with files, which keeps its place until they are there.
    private func handHeld(to view: ViewProcess) {
        while !view.awaitsFiles, view.life.isOpen, let (word, files, number) = view.heldWords.first {
            guard case .notification(var notification) = word, !files.isEmpty else {
                view.heldWords.removeFirst()
                delegate?.pass(word, numbered: number, to: view)
                continue
            }
            put(files, of: number, to: view) { [weak self] attachments in
                view.heldWords.removeFirst()
                notification.attachments = attachments
                self?.delegate?.pass(.notification(notification), numbered: number, to: view)
                self?.handHeld(to: view)
            }
        }
    }

    /// Puts files into a view's folder, one after the other; a view gets those of one notification at a time.
    ///
    /// `event` is the number under which the view hears of the notification. `done` is called with those that are
    /// there, at once where there is nothing to do; it is not called for a view that is gone by then.
    func put(
        _ files: [ViewAttachment],
        of event: UInt64,
        to view: ViewProcess,
        done: @escaping ([ScratchAttachment]) -> Void
    ) {
        guard view.hasScratch else {
            for file in files { note(file, of: view, "no scratch folder") }
            return done([])
        }
        view.awaitsFiles = true
        let old = shelves[view.serial, default: GiftShelf()].begin(event: event, acknowledged: view.lastAcknowledged)
        for path in old { courier.removeGiven(path, from: view) }
        deliveries[view.serial] = Delivery(rest: files[...], end: timetable.now + Self.time, done: done)
        putNext(to: view)
    }

    /// Nobody wants the files any more that are being put: a newer notification takes the place of theirs.
    func cutShort(_ view: ViewProcess) { deliveries[view.serial]?.rest = [] }

    /// A view is gone: without a root of its own its files would stay in the app's folder.
    func forget(_ view: ViewProcess) {
        deliveries[view.serial] = nil
        for path in shelves.removeValue(forKey: view.serial)?.paths ?? [] { courier.removeLeft(path, of: view.site) }
    }

    /// The file of a notification that a view was given under a path of its folder; `nil` means that there is none.
    func gift(at path: String, of view: ViewProcess) -> ViewAttachment? { shelves[view.serial]?.gift(at: path) }

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
        guard timetable.now < delivery.end else { return settle(file, nil, of: view, "out of time") }
        let name = "\(SceneFile.givenPrefix)\(serials.next()).\(file.type.preferredPathExtension)"
        let serial = view.serial
        courier.make(name, for: view) { [weak self] made in
            // Nobody sees it any more.
            guard let self, let view = delegate?.view(serial) else { return }
            switch made {
            case .failure(let error): settle(file, nil, of: view, "\(error)")
            case .success(let target): fill(target, name, file, of: view, by: delivery.end)
            }
        }
    }

    private func fill(
        _ target: OpenFile,
        _ name: String,
        _ file: ViewAttachment,
        of view: ViewProcess,
        by end: Duration
    ) {
        shelves[view.serial]?.add(file, at: name)
        let isInTime: @Sendable () -> Bool = { [timetable] in timetable.now < end }
        courier.fill(target, with: file, for: view.site, isInTime: isInTime) {
            [timetable, serial = view.serial] error in
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
