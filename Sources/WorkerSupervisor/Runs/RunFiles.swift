// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Logging
import NotificationPayload
import WorkerProtocol

/// The part of the notifications' owner that acts on what becomes of their files.
protocol RunFilesDelegate: AnyObject {
    /// `nil` means that the notification is concluded.
    func run(_ id: UInt64) -> ExtensionRun?
    /// The worker's folder has the files that it can have.
    func prepared(_ run: ExtensionRun, for worker: WorkerProcess)
    /// The files of a content are taken or refused.
    func collected(_ delivery: AttachmentDelivery, of run: ExtensionRun)
}

/// The files of notifications on their way into workers' scratch folders, before the request is sent, and out of them,
/// before it is closed.
///
/// Belongs to the supervisor's actor and is called on its loop's thread alone. Copying takes other threads; what comes
/// back from them finds its notification by number, or finds that it is concluded.
final class RunFiles {
    private let courier: ScratchCourier
    private let pool: WorkerPool
    private let serials: SerialNumbers
    private let logger: Logger
    private let timetable: Timetable<RunFiles>
    private weak var delegate: (any RunFilesDelegate)?

    init(_ equipment: Equipment, courier: ScratchCourier, pool: WorkerPool, timetable: Timetable<RunFiles>) {
        self.courier = courier
        self.pool = pool
        serials = equipment.serials
        logger = equipment.logger
        self.timetable = timetable
    }

    /// Nothing may be put or collected before this.
    func join(_ delegate: any RunFilesDelegate) { self.delegate = delegate }

    // MARK: Into the folder

    /// Puts the files of a notification into its worker's folder, one after the other.
    ///
    /// A file that does not fit is left out.
    func put(_ run: ExtensionRun, to worker: WorkerProcess) {
        guard run.life.preparation != nil else { return }
        let file = run.life.putNext { attachment in
            let type = AttachmentType(identifier: attachment.type)?.preferredPathExtension ?? "file"
            return "tmp/sealed-\(serials.next()).\(type)"
        }
        guard let file else {
            delegate?.prepared(run, for: worker)
            return
        }
        let id = run.id
        let serial = worker.serial
        courier.make(file.name, for: worker) { [courier, timetable, weak self] made in
            switch made {
            case .failure(let error): self?.settled(file, of: id, with: worker, error)
            case .success(let target):
                courier.fill(target, with: file, for: worker.site) { [site = worker.site] error in
                    timetable.perform { $0.filled(file, of: id, serial, site, error) }
                }
            }
        }
    }

    private func filled(
        _ file: GivenFile,
        of id: UInt64,
        _ serial: UInt64,
        _ site: ExtensionSite,
        _ error: SystemError?
    ) {
        // Its process is gone, and with it a private folder.
        guard let worker = pool.worker(serial) else { return courier.removeLeft(file.name, of: site) }
        if error != nil || delegate?.run(id)?.life.isPutting(file) != true { courier.remove(file.name, from: worker) }
        settled(file, of: id, with: worker, error)
    }

    /// Nothing happens when nobody waits for it any more.
    private func settled(_ file: GivenFile, of id: UInt64, with worker: WorkerProcess, _ error: SystemError?) {
        guard let run = delegate?.run(id), run.life.isPutting(file) else { return }
        if let error {
            logger.info(
                "file not given to the extension",
                metadata: [
                    "push.id": "\(run.request.push.id)", "worker.pid": "\(worker.pid)", "error": "\(error)",
                ]
            )
        }
        run.life.settled(file, isThere: error == nil)
        put(run, to: worker)
    }

    // MARK: Out of the folder

    /// Takes the files of a notification's content out of its worker's folder, one after the other, within the budget.
    func collect(_ run: ExtensionRun) {
        guard let assignment = run.life.assignment, let delivery = run.life.delivery else { return }
        guard let wanted = delivery.next() else {
            delegate?.collected(delivery, of: run)
            return
        }
        let isInTime = timetable.now < run.life.end
        courier.take(wanted, from: assignment.worker, delivery.hold, isInTime: isInTime) { [weak self] opened in
            // Concluded meanwhile: the file closes with its last reference.
            guard let self, delegate?.run(run.id) != nil else { return }
            switch opened {
            case .failure(let refusal):
                delivery.settle(.failure(refusal))
                collect(run)
            case .success(let file):
                keep(file, as: wanted, of: run, delivery)
            }
        }
    }

    private func keep(
        _ file: OpenFile,
        as wanted: ScratchAttachment,
        of run: ExtensionRun,
        _ delivery: AttachmentDelivery
    ) {
        guard let store = courier.store, let folder = delivery.folder else { return }
        let offer = AttachmentOffer(identifier: wanted.identifier, type: wanted.type, deadline: run.life.end)
        let id = run.id
        // The run waits for it: it comes back within the budget, to a run that may be gone.
        Task(executorPreference: timetable.loop) { [timetable] in
            let result: Result<Attachment, AttachmentRefusal>
            do throws(AttachmentRefusal) {
                result = .success(try await store.keep(offer, from: file.descriptor.raw, in: folder))
            } catch {
                result = .failure(error)
            }
            timetable.perform { $0.kept(result, of: id) }
        }
    }

    private func kept(_ result: Result<Attachment, AttachmentRefusal>, of id: UInt64) {
        guard let run = delegate?.run(id), let delivery = run.life.delivery else {
            // Too late for the record, so it is nobody's.
            if case .success(let attachment) = result { courier.store?.discard([attachment]) }
            return
        }
        delivery.settle(result)
        collect(run)
    }
}
