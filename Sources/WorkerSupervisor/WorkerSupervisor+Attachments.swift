// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostRuntime
import Logging
import NotificationPayload
import WorkerProtocol

// The files of a content: they are taken out of the worker's scratch folder before its request is closed, one after
// the other, within the budget.
extension WorkerSupervisor {
    func takeAttachments(of content: WorkerMessage.Content, isLate: Bool, for run: ExtensionRun) {
        let folder = configuration.attachmentStore?.folder(for: run.request.push.id)
        run.delivery = AttachmentDelivery(content, isLate: isLate, given: run.given, folder: folder)
        takeNext(of: run)
    }

    /// The budget's end: what is not taken yet stays where it is.
    func abandonAttachments(of run: ExtensionRun) {
        guard let delivery = run.delivery else { return }
        delivery.refuseRest(.outOfTime)
        conclude(delivery, of: run)
    }

    private func takeNext(of run: ExtensionRun) {
        guard runs[run.id] != nil, let delivery = run.delivery else { return }
        guard let wanted = delivery.next() else { return conclude(delivery, of: run) }
        open(wanted, of: run) { [self] opened in
            // Concluded meanwhile: the file closes with its last reference.
            guard runs[run.id] != nil else { return }
            switch opened {
            case .failure(let refusal):
                delivery.settle(.failure(refusal))
                takeNext(of: run)
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
        guard let store = configuration.attachmentStore, let folder = delivery.folder else { return }
        let offer = AttachmentOffer(identifier: wanted.identifier, type: wanted.type, deadline: run.end)
        let id = run.id
        // The run waits for it: it comes back within the budget, to a run that may be gone.
        Task {
            let result: Result<Attachment, AttachmentRefusal>
            do throws(AttachmentRefusal) {
                result = .success(try await store.keep(offer, from: file.descriptor.raw, in: folder))
            } catch {
                result = .failure(error)
            }
            loop.perform { [weak self] in self?.assumeIsolated { $0.kept(result, of: id) } }
        }
    }

    private func kept(_ result: Result<Attachment, AttachmentRefusal>, of id: UInt64) {
        guard let run = runs[id], let delivery = run.delivery else {
            // Too late for the record, so it is nobody's.
            if case .success(let attachment) = result { configuration.attachmentStore?.discard([attachment]) }
            return
        }
        delivery.settle(result)
        takeNext(of: run)
    }

    private func conclude(_ delivery: AttachmentDelivery, of run: ExtensionRun) {
        for refused in delivery.attachments.refused {
            logger.info(
                "attachment refused",
                metadata: ["push.id": "\(run.request.push.id)", "attachment.reason": "\(refused.reason.rawValue)"]
            )
        }
        let worker = run.assignment?.worker
        run.delivery = nil
        conclude(run, .content(delivery.payload, late: delivery.isLate), attachments: delivery.attachments)
        if let worker { settle(worker.pool) }
    }

    // MARK: Opening

    /// From the launcher, which alone can reach a worker's own `tmp`; from the host's own folder whatever is stored.
    private func open(
        _ wanted: ScratchAttachment,
        of run: ExtensionRun,
        answer: @escaping (Result<OpenFile, AttachmentRefusal>) -> Void
    ) {
        guard let worker = run.assignment?.worker, worker.hasScratch, configuration.attachmentStore != nil else {
            return answer(.failure(.noScratch))
        }
        guard let name = ScratchName(wanted.path) else { return answer(.failure(.badName)) }
        guard AttachmentType(identifier: wanted.type) != nil else { return answer(.failure(.unknownType)) }
        guard clock.now < run.end else { return answer(.failure(.outOfTime)) }
        if name.isStored || !launcher.hasOwnRoot {
            guard let storage = run.pool.storage else { return answer(.failure(.notFound)) }
            return answer(storage.take(name).mapError { AttachmentRefusal(openError: $0.code) })
        }
        owners.scratch.take(name.text, of: worker) { scratch in
            let error = scratch.error
            let file = OpenFile(scratch.takeFile())
            answer(error == 0 && file.descriptor.raw >= 0 ? .success(file) : .failure(.init(openError: error)))
        }
    }
}

extension AttachmentRefusal {
    /// What openat2 said, or the launcher for it.
    init(openError code: Int32) {
        switch code {
        case ENOENT, ENOTDIR, ESRCH: self = .notFound
        case EINVAL, ELOOP, ENXIO, EISDIR: self = .notAFile
        case EXDEV, ENAMETOOLONG: self = .badName
        default: self = .unreadable
        }
    }
}
