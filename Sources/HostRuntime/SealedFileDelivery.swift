// SPDX-License-Identifier: Apache-2.0

private import NotificationPayload

/// Takes the files that an opened payload names from the network to the store: fetch, open, check, keep.
///
/// A file that fails at any step is left out with its reason, and the rest is delivered. The plaintext has no name in
/// any folder before it is whole and of a permitted type and size.
package struct SealedFileDelivery: Sendable {
    /// Bytes of one notification's sealed files: what an extension may fetch for one.
    package static let maximumByteCount = 64 << 20
    /// Files of one notification that are fetched at once.
    private static let width = 8

    private let fetcher: any SealedFileFetching
    private let opener: any SealedFileOpening
    private let store: any AttachmentKeeping
    /// The deadlines at which whoever waits for files stops waiting.
    let deadlines: DeadlineQueue

    package init(
        fetcher: any SealedFileFetching,
        opener: any SealedFileOpening,
        store: any AttachmentKeeping,
        deadlines: DeadlineQueue
    ) {
        self.fetcher = fetcher
        self.opener = opener
        self.store = store
        self.deadlines = deadlines
    }

    /// Ends at the deadline, and with what is there by then; `arrivals` hears of each file as it comes, and of the end.
    package func deliver(
        _ files: [NamedFile],
        of push: IncomingPush,
        app: String,
        deadline: Duration,
        arrivals: SealedFileArrivals
    ) async -> Attachments {
        defer { arrivals.finish() }
        guard !files.isEmpty else { return Attachments() }
        let folder = store.folder(for: push.id)
        let owned = OwnedApp(topic: app, owner: push.owner)
        var results = [Result<Attachment, AttachmentRefusal>?](repeating: nil, count: files.count)
        var wanted: [(index: Int, file: SealedFile, type: AttachmentType)] = []
        var byteCount = 0
        for (index, file) in files.enumerated() {
            do throws(AttachmentRefusal) {
                let (file, type) = try Self.judge(file)
                guard wanted.count < AttachmentOffer.maximumCount else { throw .tooMany }
                guard file.sealedByteCount <= Self.maximumByteCount - byteCount else { throw .tooLarge }
                byteCount += file.sealedByteCount
                wanted.append((index, file, type))
            } catch {
                results[index] = .failure(error)
            }
        }
        await withTaskGroup(of: (Int, Result<Attachment, AttachmentRefusal>).self) { group in
            for (number, (index, file, type)) in wanted.enumerated() {
                if number >= Self.width, let (index, result) = await group.next() { results[index] = result }
                group.addTask {
                    let result = await bring(file, type: type, for: owned, in: folder, deadline: deadline)
                    if case .success(let attachment) = result { arrivals.add(attachment, at: index) }
                    return (index, result)
                }
            }
            for await (index, result) in group { results[index] = result }
        }
        return Self.attachments(files, results)
    }

    /// Checks address, type and size of a named file before anything is fetched; returns the file with its type.
    private static func judge(_ named: NamedFile) throws(AttachmentRefusal) -> (SealedFile, AttachmentType) {
        switch named {
        case .unusable(let refusal): throw refusal
        case .sealed(let file):
            guard file.url != nil else { throw .badEntry }
            guard let type = AttachmentType(named: file.type, fileName: file.name) else { throw .unknownType }
            guard file.byteCount <= type.kind.maximumByteCount else { throw .tooLarge }
            return (file, type)
        }
    }

    private func bring(
        _ file: SealedFile,
        type: AttachmentType,
        for app: OwnedApp,
        in folder: AttachmentFolder,
        deadline: Duration
    ) async -> Result<Attachment, AttachmentRefusal> {
        do throws(AttachmentRefusal) {
            let sealed = try await fetcher.fetch(
                file,
                for: app.topic,
                into: { [store] in store.temporaryFile(roomFor: file.sealedByteCount, of: app) },
                deadline: deadline
            )
            let opened = try await opener.open(
                file,
                for: app.topic,
                from: sealed,
                into: { [store] in store.temporaryFile(roomFor: file.byteCount, of: app) },
                deadline: deadline
            )
            let offer = AttachmentOffer(identifier: file.identifier, type: type.identifier, deadline: deadline)
            return .success(try await store.keep(offer, from: opened.descriptor, in: folder))
        } catch {
            return .failure(error)
        }
    }

    private static func attachments(
        _ files: [NamedFile],
        _ results: [Result<Attachment, AttachmentRefusal>?]
    ) -> Attachments {
        var attachments = Attachments()
        for (file, result) in zip(files, results) {
            switch result {
            case .success(let attachment)?: attachments.kept.append(attachment)
            case .failure(let reason)?:
                let identifier = if case .sealed(let file) = file { file.identifier } else { "" }
                attachments.refused.append(.init(identifier: identifier, reason: reason))
            case nil: break
            }
        }
        return attachments
    }
}
