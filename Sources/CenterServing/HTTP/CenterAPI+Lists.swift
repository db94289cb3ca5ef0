// SPDX-License-Identifier: Apache-2.0

import CenterStore
import DatabaseFile
import NIOHTTP1
import NotificationPayload
import UserNotificationCenter

/// The part of the API that shows stacks and the history, clears them, and brings back what was closed.
extension CenterAPI {
    // MARK: Stacks

    /// A stack with a page of its members, the newest first.
    func stack(_ id: String, _ request: APIRequest) throws(APIError) -> APIAnswer {
        let limit = try request.number("limit", in: Self.pageLimits) ?? 50
        let before = try request.number("before", in: 1...Int64.max)
        let page = try look { picture, reading in
            try StackPage(picture, key(of: id, picture), limit: Int(limit), before: before, reading)
        }
        guard let page, let shown = view(of: page.picture, for: request).json(of: page) else { throw .notFound }
        return APIAnswer(.ok, shown)
    }

    /// Dismisses the members of a stack up to a number, so that what came meanwhile stays.
    func clearStack(_ id: String, _ request: APIRequest) async throws(APIError) -> APIAnswer {
        let end = try request.number("upTo", in: 1...Int64.max) ?? .max
        let numbers = try look { picture, _ in
            key(of: id, picture).map { key in picture.board.members(of: key).map(\.number).filter { $0 <= end } }
        }
        guard let numbers else { throw .notFound }
        return try await clear(numbers)
    }

    /// Dismisses what stands in the list, of one app or of all, up to a number; what is held for a summary stays.
    func clearList(_ request: APIRequest) async throws(APIError) -> APIAnswer {
        let end = try request.number("upTo", in: 1...Int64.max) ?? .max
        let topic = request["app"]
        let numbers = try look { picture, _ in
            picture.board.listed(of: topic.map(picture.installation(of:)), upTo: end)
        }
        return try await clear(numbers)
    }

    /// Closes all of them in one transaction, or none.
    private func clear(_ numbers: [Int64]) async throws(APIError) -> APIAnswer {
        let results = try await dismissAll(numbers)
        return APIAnswer(.ok, ["ids": .array(results.map { .string("\($0)") })])
    }

    /// The stack that an id names; `nil` means that there is none.
    private func key(of id: String, _ picture: OwnerPicture) -> StackKey? {
        picture.board.key(identifiedBy: id) { center.store.stackHash($0) }
    }

    // MARK: History

    /// A page of what the owner dismissed or answered, the newest number first.
    func history(_ request: APIRequest) throws(APIError) -> APIAnswer {
        let limit = Int(try request.number("limit", in: Self.pageLimits) ?? 50)
        let before = try request.number("before", in: 1...Int64.max) ?? .max
        let found = try read { store throws(DatabaseFailure) in
            try store.history(of: owner, before: before, limit: limit + 1)
        }
        let items = found.prefix(limit)
        let list = try list()
        return APIAnswer(
            .ok,
            [
                "items": .array(
                    items.map { item in
                        var object = list.json(of: item)
                        object["answered"] = .bool(item.head.presentation.flags.contains(.answered))
                        // It is in no list any more, and in no stack, and no view can be opened for it.
                        (object["present"], object["stack"], object["view"]) = (nil, nil, nil)
                        return .object(object)
                    }
                ), "next": found.count > limit ? items.last.map { .string("\($0.head.number)") } ?? .null : .null,
            ]
        )
    }

    /// Deletes one notification of the history for good.
    func forget(_ number: Int64) async throws(APIError) -> APIAnswer {
        try await forget(.forget(owner, number: number))
    }

    /// Deletes the history for good, up to a number.
    func forgetAll(_ request: APIRequest) async throws(APIError) -> APIAnswer {
        try await forget(.forgetAll(owner, upTo: try request.number("upTo", in: 1...Int64.max)))
    }

    /// Deletes for good, which is not for whoever passes a lock view, and tells whoever watches.
    private func forget(_ work: CenterWork) async throws(APIError) -> APIAnswer {
        guard hiding == nil else { throw .response(.needsAuthentication) }
        if case .refused = try await perform(work) { throw .notFound }
        center.announcements.tellForgotten(owner)
        return .done
    }

    /// Brings a notification back into the list, under a new number and without a banner; not for whoever passes a
    /// lock view, which is not told of the history.
    func restore(_ number: Int64) async throws(APIError) -> APIAnswer {
        guard hiding == nil else { throw .response(.needsAuthentication) }
        switch try await perform(.restore(owner, number: number)) {
        case .renewed(let renewals):
            guard let renewal = renewals.first else { throw .notFound }
            return APIAnswer(.created, ["id": .string("\(renewal.number)")])
        case .refused(.replaced(let newer)): throw .replaced(by: newer)
        case .refused(.notThere(.gone)): throw .gone
        default: throw .notFound
        }
    }
}
