// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import HostRuntime
import Locking
import NotificationPayload

/// The files of requests that workers make of their notification centres, out of the workers' scratch folders.
///
/// Each is an open descriptor until the centre has answered, so their number is bounded: of one site, which leaves room
/// for the others, and of all.
///
/// Belongs to the supervisor's actor and is called on its loop's thread alone.
final class RequestFiles {
    /// Files of one site that are open at once: three requests with as many as one may have.
    static let siteLimit = 3 * RequestAttachment.limit
    /// Files of all sites that are open at once.
    static let limit = 8 * siteLimit

    /// A request whose attachments are descriptors, and the files that they stand for, in their order.
    typealias Taken = (request: NotificationRequest, files: [HeldFile])

    private struct Counts: Sendable {
        var sites: [Int: Int] = [:]
        var sum = 0

        mutating func take(_ count: Int, of site: Int) -> Bool {
            let siteCount = sites[site, default: 0] + count
            guard siteCount <= siteLimit, sum + count <= limit else { return false }
            sites[site] = siteCount
            sum += count
            return true
        }

        mutating func giveBack(of site: Int) {
            let siteCount = sites[site, default: 1] - 1
            sites[site] = siteCount == 0 ? nil : siteCount
            sum -= 1
        }
    }

    /// A request that waits for its files.
    private final class Collection {
        var results: [Result<HeldFile, CallFailure>?]
        /// The worker may end meanwhile; its files stay.
        let hold: FolderHold?

        init(_ count: Int, _ hold: FolderHold?) {
            results = Array(repeating: nil, count: count)
            self.hold = hold
        }

        /// `nil` while one is open; the first that failed has all fail.
        var files: Result<[HeldFile], CallFailure>? {
            let settled = results.compactMap(\.self)
            guard settled.count == results.count else { return nil }
            return Result { () throws(CallFailure) in
                try settled.map { result throws(CallFailure) in try result.get() }
            }
        }
    }

    private let courier: ScratchCourier
    /// Files are closed on any thread.
    private let counts = Locked(Counts())

    init(_ courier: ScratchCourier) {
        self.courier = courier
    }

    /// Takes the files of a request out of the worker's folder; `answer` is called once, after every question to the
    /// launcher that was asked before, and at once if there is no room for the files.
    func take(
        _ request: NotificationRequest,
        of worker: WorkerProcess,
        answer: @escaping (Result<Taken, CallFailure>) -> Void
    ) {
        let site = worker.site.index
        let count = request.attachments.count
        guard counts.withLock({ $0.take(count, of: site) }) else { return answer(.failure(.notAllowed)) }
        var request = request
        let collection = Collection(count, courier.hold(worker))
        let names = request.attachments.map(\.scratchName)
        for place in request.attachments.indices { request.attachments[place].source = .descriptor(place) }
        for (place, name) in names.enumerated() {
            open(name, of: worker, collection.hold) { [request] result in
                collection.results[place] = result
                guard let files = collection.files else { return }
                answer(files.map { (request, $0) })
            }
        }
    }

    private func open(
        _ name: ScratchName?,
        of worker: WorkerProcess,
        _ hold: FolderHold?,
        answer: @escaping (Result<HeldFile, CallFailure>) -> Void
    ) {
        let site = worker.site.index
        let giveBack: @Sendable () -> Void = { [counts] in counts.withLock { $0.giveBack(of: site) } }
        guard let name else {
            giveBack()
            return answer(.failure(.attachmentURL))
        }
        courier.take(name, from: worker, hold) { opened in
            guard case .success(let file) = opened, let held = file.held(whenClosed: giveBack) else {
                giveBack()
                return answer(.failure(.attachmentURL))
            }
            answer(.success(held))
        }
    }
}

extension RequestAttachment {
    /// `nil` means that the worker names no file of its folder.
    fileprivate var scratchName: ScratchName? {
        if case .scratch(let path) = source { ScratchName(path) } else { nil }
    }
}
