// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import UserNotifications

// SAFETY: what changes is changed under the condition; the content is written once, under it, when the work is over.
/// The work on one notification, which ends with one call of its content handler.
///
/// Downloads and a report run beside each other. The content is delivered when all of them are over, with the files
/// that came; a connection of a worker does not outlive its notification, so a report comes before the delivery.
/// Nothing is tried twice, and what goes wrong is a line of the log, never an error.
public final class Delivery: @unchecked Sendable {
    /// The largest file that an attachment may have, in bytes: a film of 50 MB.
    ///
    /// Source: Apple, "UNNotificationAttachment".
    static let fileByteCountLimit = 50_000_000
    /// The answer to a report is not read beyond these bytes.
    static let answerByteCountLimit = 1 << 16
    /// The files of a notification that are fetched, those beyond them are not.
    static let attachmentLimit = 10

    private let condition = NSCondition()
    private let content: UNMutableNotificationContent
    private let log: LogLines
    private var handler: ((UNNotificationContent) -> Void)?
    private var transfers: [Transfer] = []
    private var attachments: [(place: Int, attachment: UNNotificationAttachment)] = []
    private var attachmentCount = 0
    /// The work that is not over, with one for whoever adds to it until `finish()`.
    private var openCount = 1
    /// True once nothing is taken any more.
    private var isOver = false
    /// True once the handler has been called, or is the caller's.
    private var isDone = false

    /// Makes a delivery of `content`, which belongs to it until it is over; without a handler the caller hands it over.
    public init(
        of content: UNMutableNotificationContent,
        log: LogLines,
        to handler: ((UNNotificationContent) -> Void)?
    ) {
        self.content = content
        self.log = log
        self.handler = handler
    }

    // MARK: Work

    /// Fetches a file of http or https and attaches it; `fileExtension` says its kind by the answer.
    public func attach(
        _ url: URL,
        identifier: String,
        fileExtension: @escaping @Sendable (HTTPURLResponse) -> String?
    ) {
        guard ["http", "https"].contains(url.scheme?.lowercased()) else {
            return log.error("nothing is attached: an address is neither http nor https")
        }
        guard let place = nextPlace() else { return }
        let folder = FileManager.default.temporaryDirectory
        let file = folder.appendingPathComponent(UUID().uuidString)
        start(Transfer(URLRequest(url: url), into: file, limit: Self.fileByteCountLimit)) { delivery, outcome in
            switch outcome {
            case .failure(let failure):
                delivery.log.error("nothing is attached: \(failure.text)")
            case .success(let response):
                guard let name = fileExtension(response) else {
                    delivery.log.error("nothing is attached: the kind of the file is not known")
                    break
                }
                let named = folder.appendingPathComponent("\(UUID().uuidString).\(name)")
                do {
                    try FileManager.default.moveItem(at: file, to: named)
                    if try delivery.add(named, identifier: identifier, at: place) { return }
                } catch {
                    delivery.log.error("nothing is attached: \(Failure(error).text)")
                }
                try? FileManager.default.removeItem(at: named)
            }
            try? FileManager.default.removeItem(at: file)
        }
    }

    /// Attaches a file of the bundle.
    public func attach(file: URL, identifier: String) {
        guard let place = nextPlace() else { return }
        do {
            _ = try add(file, identifier: identifier, at: place)
        } catch {
            log.error("nothing is attached: \(Failure(error).text)")
        }
    }

    /// Sends a report, once; what it is called in the log stands before the reason if it does not arrive.
    public func send(_ report: URLRequest, as name: String) {
        start(Transfer(report, into: nil, limit: Self.answerByteCountLimit)) { delivery, outcome in
            if case .failure(let failure) = outcome { delivery.log.error("\(name) did not arrive: \(failure.text)") }
        }
    }

    /// Waits for other work with the delivery, until that calls what it is given.
    public func join(_ work: (@escaping @Sendable () -> Void) -> Void) {
        guard open() else { return }
        work { self.close() }
    }

    // MARK: End

    /// Says that no more work comes: the content is delivered when what there is is over.
    public func finish() { close() }

    /// Cancels what is not over, and delivers the content with the files that came, unless that has happened.
    public func end() {
        guard let last = over() else { return }
        last.handler?(content)
        done()
    }

    /// Cancels what is not over, and leaves the content with the files that came to the caller: the handler is not
    /// called any more.
    public func giveBack() {
        if over() != nil { done() }
    }

    /// Waits until the content has been handed over or given back.
    public func wait() {
        condition.lock()
        while !isDone { condition.wait() }
        condition.unlock()
    }

    // MARK: State

    /// The last step, which one caller gets.
    private struct Last {
        let handler: ((UNNotificationContent) -> Void)?
    }

    private func over() -> Last? {
        condition.lock()
        guard !isOver else {
            condition.unlock()
            return nil
        }
        isOver = true
        let came = attachments.sorted { $0.place < $1.place }.map(\.attachment)
        if !came.isEmpty { content.attachments = came }
        let last = Last(handler: handler)
        let unfinished = transfers
        handler = nil
        transfers = []
        condition.unlock()
        for transfer in unfinished { transfer.cancel() }
        return last
    }

    private func done() {
        condition.lock()
        isDone = true
        condition.broadcast()
        condition.unlock()
    }

    /// Counts one more piece of work; false when the delivery is over.
    private func open(_ transfer: Transfer? = nil) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        guard !isOver else { return false }
        openCount += 1
        if let transfer { transfers.append(transfer) }
        return true
    }

    private func close() {
        condition.lock()
        openCount -= 1
        let isLast = openCount == 0
        condition.unlock()
        if isLast { end() }
    }

    private func nextPlace() -> Int? {
        condition.lock()
        defer { condition.unlock() }
        guard !isOver, attachmentCount < Self.attachmentLimit else { return nil }
        attachmentCount += 1
        return attachmentCount
    }

    /// Adds a file that is there; false when the delivery is over.
    private func add(_ file: URL, identifier: String, at place: Int) throws -> Bool {
        let attachment = try UNNotificationAttachment(identifier: identifier, url: file)
        condition.lock()
        defer { condition.unlock() }
        guard !isOver else { return false }
        attachments.append((place, attachment))
        return true
    }

    private func start(
        _ transfer: Transfer,
        _ completion: @escaping @Sendable (Delivery, Result<HTTPURLResponse, Failure>) -> Void
    ) {
        guard open(transfer) else { return transfer.cancel() }
        transfer.start { outcome in
            completion(self, outcome)
            self.close()
        }
    }
}
