// SPDX-License-Identifier: Apache-2.0

import CenterStore
import UserNotificationCenter

/// A page of an owner's stacks with the contents that it shows, all of one moment.
struct FrontPage {
    let picture: OwnerPicture
    let stacks: [StackBoard.Stack]
    /// The stacks of what is held for a summary.
    let upcoming: [StackBoard.Stack]
    /// The number to read on before; `nil` means that there are no more.
    let next: Int64?
    /// The leading notifications by their numbers.
    let leading: [Int64: KeptNotification]

    /// Takes at most `limit` stacks, those whose leading notifications are older than `before`, of one app or of all.
    init(
        _ picture: OwnerPicture,
        limit: Int,
        before: Int64?,
        of topic: String?,
        _ reading: borrowing OwnerReading
    ) throws {
        self.picture = picture
        let installation = topic.map(picture.installation(of:))
        stacks = picture.board.stacks(isHeld: false, of: installation, before: before, limit: limit)
        upcoming = picture.board.stacks(isHeld: true, of: installation, limit: limit)
        next = stacks.count < limit ? nil : stacks.last?.leading.number
        leading = try reading.notifications(byNumber: (stacks + upcoming).map(\.leading.number))
    }
}

/// A stack with a page of its members and their contents, all of one moment.
struct StackPage {
    let picture: OwnerPicture
    let stack: StackBoard.Stack
    /// At most so many members as were asked for, the newest first.
    let items: [KeptNotification]
    /// The number to read on before; `nil` means that there are no more.
    let next: Int64?
    /// The leading notification; `nil` means that what the disk has of it is lost.
    let leading: KeptNotification?

    /// Takes the members below `before`; `nil` means that no stack has the key.
    init?(
        _ picture: OwnerPicture,
        _ key: StackKey?,
        limit: Int,
        before: Int64?,
        _ reading: borrowing OwnerReading
    ) throws {
        guard let stack = key.flatMap({ picture.board.stack($0) }) else { return nil }
        self.picture = picture
        self.stack = stack
        let members = picture.board.members(of: stack.key, before: before, limit: limit + 1).map(\.number)
        let shown = members.prefix(limit)
        items = try reading.notifications(Array(shown))
        next = members.count > limit ? shown.last : nil
        let first = items.first.flatMap { $0.head.number == stack.leading.number ? $0 : nil }
        leading = try first ?? reading.notifications([stack.leading.number]).first
    }
}

extension OwnerReading {
    fileprivate func notifications(byNumber numbers: [Int64]) throws -> [Int64: KeptNotification] {
        Dictionary(try notifications(numbers).map { ($0.head.number, $0) }) { first, _ in first }
    }
}
