// SPDX-License-Identifier: Apache-2.0

private import Locking
private import Logging

// What the disk does to the queue: it fails and comes back, is looked after, and has what memory has no room for.
extension PushQueue {
    // MARK: A disk that fails

    func diskWorks() {
        let wasFailing = state.withLock { state in
            defer { state.isFailing = false }
            return state.isFailing
        }
        if wasFailing { logger.notice("the journal is written again: pushes are accepted") }
    }

    func diskFailed(_ error: JournalError) {
        var isDamage = false
        if case .corrupt = error { isDamage = true }
        let isNews = state.withLock { state in
            defer {
                state.isFailing = true
                state.isDamaged = state.isDamaged || isDamage
            }
            return isDamage ? !state.isDamaged : !state.isFailing
        }
        guard isNews else { return }
        let metadata: Logger.Metadata = ["error": "\(error)", "hint": "\(error.nextStep)"]
        if isDamage {
            logger.error("the journal is damaged: pushes are refused until the host has another", metadata: metadata)
        } else {
            logger.error("the journal cannot be written: pushes are refused until it can", metadata: metadata)
        }
    }

    /// Says once of a sink that it takes nothing for too long.
    func note(_ fullSinks: Set<String>) {
        let news = state.withLock { state in
            defer { state.fullSinks = fullSinks }
            return state.fullSinks == fullSinks
                ? nil : (fullSinks.subtracting(state.fullSinks), state.fullSinks.subtracting(fullSinks))
        }
        guard let (full, free) = news else { return }
        for sink in full.sorted() {
            logger.error("outbox full: pushes for this sink are refused", metadata: ["sink.name": "\(sink)"])
        }
        for sink in free.sorted() {
            logger.notice("outbox has room again: pushes are accepted", metadata: ["sink.name": "\(sink)"])
        }
    }

    // MARK: Beside the transactions

    var topicsOnDisk: Set<String> { state.withLock { Set($0.board.topicsOnDisk) } }

    /// False when the disk refuses; a journal that is damaged is left as it is.
    @discardableResult
    func maintain() -> Bool {
        guard !state.withLock(\.isDamaged) else { return false }
        do throws(JournalError) {
            let hasMore = try journal.maintain()
            // When there is nothing else to do.
            if hasMore { ask(.atLeisure) { $0.isMaintenanceDue = $0.batches.isEmpty } }
            return true
        } catch {
            diskFailed(error)
            return false
        }
    }

    /// False when something could not be read.
    @discardableResult
    func load(_ topics: Set<String>) -> Bool {
        for topic in topics {
            guard let load = state.withLock({ $0.isLeaving ? nil : $0.board.nextLoad(of: topic) }) else { continue }
            do throws(JournalError) {
                let pushes = try journal.pushes(of: topic, after: load.after, limit: load.limit)
                let starting = state.withLock { state in
                    let marked = pushes.map { push in
                        var push = push
                        push.isTakenUpAgain = (push.number ?? 0) <= state.lastOfFormerProcess
                        return push
                    }
                    return state.board.loaded(marked, of: topic, isAll: pushes.count < load.limit)
                }
                start(starting)
            } catch {
                state.withLock { $0.board.notLoaded(topic) }
                diskFailed(error)
                return false
            }
        }
        return true
    }
}
