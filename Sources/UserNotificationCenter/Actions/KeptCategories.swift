// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload

/// The categories of an app as the store keeps them: the registered ones, and those that they took the place of.
package struct KeptCategories: Sendable, Equatable {
    package private(set) var registered = CategorySet()
    package private(set) var former = FormerCategories()

    /// Makes a value without categories.
    package init() {}

    /// Reads the bytes that the store has; damaged categories count as none.
    package init(stored: [UInt8]?) {
        guard let object = stored.flatMap({ try? JSONObject(parsing: $0.span, depthLimit: 16) }) else { return }
        registered = CategorySet(of: object)
        let groups = (object["former"]?.array ?? []).compactMap(\.object).compactMap { group in
            group["until"]?.integer.map { until in
                FormerCategories.Group(until: until, categories: CategorySet(of: group).categories)
            }
        }
        former = FormerCategories(groups)
    }

    /// The bytes that the store has of it.
    package var stored: [UInt8] {
        var object: JSONObject = ["categories": NotificationCategory.list(registered.categories)]
        let groups = former.groups.map { group -> JSON in
            .object(["until": .integer(group.until), "categories": NotificationCategory.list(group.categories)])
        }
        if !groups.isEmpty { object["former"] = .array(groups) }
        return object.serialized
    }

    /// Registers categories in the place of the present ones; `number` is the owner's last one.
    package mutating func register(_ categories: CategorySet, after number: Int64) {
        former.change(from: registered, to: categories, after: number)
        registered = categories
    }

    /// The rule by which an answer to a notification of a category is taken.
    package func rule(for category: String?, number: Int64) -> ResponseRule {
        ResponseRule(
            registered: category.flatMap { registered[$0] },
            delivered: category.flatMap { former[$0, number] }
        )
    }
}

extension CategorySet {
    /// Reads the bytes that the store has; damaged categories count as none.
    package init(stored: [UInt8]?) {
        let object = stored.flatMap { try? JSONObject(parsing: $0.span, depthLimit: 16) }
        self = object.map(CategorySet.init(of:)) ?? CategorySet()
    }

    fileprivate init(of object: JSONObject) {
        guard let list = NotificationCategory.list(of: object), let set = try? CategorySet(list) else {
            self.init()
            return
        }
        self = set
    }
}
