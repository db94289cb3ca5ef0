// SPDX-License-Identifier: Apache-2.0

import CenterStore

/// Notifications that come, and answers to them.
extension NaiveCentre {
    mutating func arrive(_ arrival: NotificationArrival, at now: WallTime) -> WorkResult {
        let key = arrival.installation
        if let badge = arrival.badge, !(0...Int(Int32.max)).contains(badge) { return .refused(.badgeOutOfRange(badge)) }
        guard owners[key.owner] != nil else { return .refused(.unknownOwner) }
        guard let app = apps[key] else { return .refused(.unknownInstallation) }
        switch arrival.source {
        case .record(let record): if !taken.insert(record).inserted { return .repeated }
        case .waiting(let id):
            guard waiting.contains(where: { $0.id == id && $0.installation == key }) else { return .withdrawn }
            waiting.removeAll { $0.id == id }
        case .pending(let id, let due, let next):
            let isThere = pending.contains {
                $0.id == id && $0.request.installation == key && $0.request.date.due == due
            }
            guard isThere else { return .withdrawn }
            if let next { redate(id, next) } else { pending.removeAll { $0.id == id } }
        case .call: break
        }
        switch arrival.fate {
        case .listed(let content, let presentation):
            let number = owners[key.owner]?.number() ?? 0
            let former = named(content.identifier, key)?.number
            if let former { unlist(key.owner, former, .update, as: number, at: now) }
            let note = Note(
                number: number,
                installation: app.id,
                content: content,
                presentation: presentation,
                date: arrival.date
            )
            owners[key.owner]?.list.append(note)
            return .listed(number, replaces: former, badge: setBadge(arrival.badge, key))
        case .waits(let content):
            lastWaiting += 1
            waiting.append(Waiting(id: lastWaiting, installation: key, stored: arrival.date, content: content))
            return .waits(lastWaiting)
        case .silent(let payload):
            silent[key] = (payload, now)
            return .noted(badge: setBadge(arrival.badge, key))
        case .unlisted: return .noted(badge: setBadge(arrival.badge, key))
        }
    }

    mutating func respond(_ draft: ResponseDraft, at now: WallTime) -> WorkResult {
        guard let owner = owners[draft.owner] else { return .refused(.unknownOwner) }
        guard let note = owner.list.first(where: { $0.number == draft.number }), let key = key(note.installation) else {
            return .refused(.notThere(standing(draft.number, draft.owner)))
        }
        let cause: RemovalCause = draft.closing == .user ? .user : .response
        guard let removal = close(draft.owner, draft.number, cause, at: now) else { return .unchanged }
        lastResponse += 1
        responses.append(
            Response(id: lastResponse, key: key, number: draft.number, draft: draft, stored: now, content: note.content)
        )
        return .answered(response: lastResponse, removal)
    }

    mutating func step(_ id: Int64, _ step: ResponseStep) -> WorkResult {
        guard let index = responses.firstIndex(where: { $0.id == id }) else { return .stepped(.ignored) }
        let response = responses[index]
        switch step {
        case .completed:
            responses.remove(at: index)
            return .stepped(.completed)
        case .sent where response.state == .stored:
            responses[index].state = .sent
            return .stepped(.kept(.sent, tries: response.tries))
        case .returned where response.state == .sent && response.tries == 2:
            responses.remove(at: index)
            return .stepped(.expired)
        case .returned where response.state == .sent:
            responses[index].state = .stored
            responses[index].tries += 1
            return .stepped(.kept(.stored, tries: response.tries + 1))
        case .sent, .returned: return .stepped(.ignored)
        }
    }
}
