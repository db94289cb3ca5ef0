// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Locking
import Logging
import NotificationPayload
import UserNotificationCenter

/// The requests of apps: delivered at once or waiting, and what became of them.
extension CallDesk {
    /// Delivers a request without a trigger, and keeps any other until it fires.
    func add(_ request: NotificationRequest, _ key: InstallationKey) async throws -> CallAnswer {
        // Nothing of an app that nobody has allowed is kept, not even its name.
        guard try center.permission(of: key).isGranted, try await center.install(key) != nil else {
            throw CallFailure.notAllowed
        }
        let attachments = try await keep(request.attachments, of: key)
        do {
            guard let trigger = request.trigger else { return try await deliver(request, attachments, key) }
            return try await schedule(request, trigger, attachments, key)
        } catch {
            discard(attachments)
            throw error
        }
    }

    private func schedule(
        _ request: NotificationRequest,
        _ trigger: RequestTrigger,
        _ attachments: [ContentAttachment],
        _ key: InstallationKey
    ) async throws -> CallAnswer {
        try checkRoom(for: attachments, as: request.identifier, of: key)
        let dates = TriggerDates(trigger, zone: center.zone(of: key.owner))
        guard let (clock, date) = dates.first(center.clock) else { throw CallFailure.noDate }
        let traits = NotificationTraits(request.payload)
        let kept = KeptRequest(
            installation: key,
            clock: clock,
            date: date,
            repeats: dates.repeats,
            rule: trigger.region?.rule ?? [],
            content: NotificationContent(
                identifier: request.identifier,
                thread: traits.thread,
                category: traits.category,
                argument: traits.summaryArgument,
                trigger: trigger.json,
                payload: request.payload.object,
                attachments: attachments
            ),
            box: trigger.region?.box
        )
        let limit = PendingLimit(
            count: Int(center.app(key).pendingLimit),
            wallMinusBoot: center.clock.wallMinusBoot
        )
        let result = try await center.perform([.schedule(kept, limit: limit)]).first
        center.requestsChanged.raise()
        if case .scheduled(let id, _, let dropped) = result, !dropped.isEmpty {
            if center.dropNews.isDue(key, at: center.clock.boot()) {
                let facts: Logger.Metadata = ["app": "\(key.app)", "limit": "\(limit.count)"]
                center.logger.warning("requests dropped: an app has more than its limit", metadata: facts)
            }
            // It was dropped at once itself, and its app hears so.
            if dropped.contains(where: { $0.id == id }) { throw CallFailure.noDate }
        }
        if case .refused(let refusal) = result {
            // As with those that are dropped: nothing would ever fire it.
            if case .tooManyRegions = refusal { throw CallFailure.noDate }
            throw CallFailure.disk
        }
        return .done
    }

    private func deliver(
        _ request: NotificationRequest,
        _ attachments: [ContentAttachment],
        _ key: InstallationKey
    ) async throws -> CallAnswer {
        let (fate, badge) = try center.deliveryRule(for: key).fate(
            of: DeliveryRule.Delivery(
                identifier: request.identifier,
                payload: request.payload,
                attachments: attachments
            )
        )
        let arrival = NotificationArrival(
            installation: key,
            source: .call,
            fate: fate,
            date: center.clock.wall(),
            badge: badge
        )
        let result = try await center.perform([.arrive(arrival)]).first
        if case .refused? = result { throw CallFailure.notAllowed }
        // Shown to nobody: nothing of it is kept.
        if result?.keepsContent != true { discard(attachments) }
        return .done
    }

    /// The requests that wait, in the order of their identifiers, as many as fit a packet.
    func pending(after identifier: String?, _ key: InstallationKey) throws -> CallAnswer {
        let difference = center.clock.wallMinusBoot
        let requests = try center.store.pending(of: key).map(\.request)
            .filter { kept in identifier.map { Self.isBefore($0, kept.content.identifier) } ?? true }
            .sorted { Self.isBefore($0.content.identifier, $1.content.identifier) }
        var page = AnswerPage(packetByteCount: AppMessageType.maximumByteCount)
        var found: [ToldRequest] = []
        for kept in requests {
            let next = kept.date.due.map { kept.clock == .boot ? $0 + difference : $0 }
            let request = ToldRequest(
                request: StoredRequest(kept.content, of: center.store),
                next: next.map { Moment(milliseconds: $0) }
            )
            switch page.add(request.json) {
            case .here: found.append(request)
            case .nextPage: return .pending(found, hasMore: true)
            case .nowhere: continue
            }
        }
        return .pending(found, hasMore: false)
    }

    /// The delivered notifications, the newest first, as many as fit a packet.
    func delivered(before number: Int64?, _ key: InstallationKey) throws -> CallAnswer {
        // Few at a time: whoever else reads waits meanwhile, and a packet may hold no more than these.
        var query = PageQuery(limit: 32)
        query.before = number
        query.app = key.app
        var page = AnswerPage(packetByteCount: AppMessageType.maximumByteCount)
        var found: [ToldNotification] = []
        while let kept = try center.store.page(query, of: key.owner) {
            for item in kept.items where !item.head.presentation.flags.contains(.held) {
                guard let content = item.content else { continue }
                let notification = ToldNotification(
                    number: item.head.number,
                    date: Moment(milliseconds: item.head.date),
                    request: StoredRequest(content, of: center.store)
                )
                switch page.add(notification.json) {
                case .here: found.append(notification)
                case .nextPage: return .delivered(found, hasMore: true)
                case .nowhere: continue
                }
            }
            guard let next = kept.next else { break }
            query.before = next
        }
        return .delivered(found, hasMore: false)
    }

    /// Compares by bytes, because identifiers are foreign text.
    private static func isBefore(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }
}
