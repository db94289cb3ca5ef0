// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

extension JSONObject {
    package func requiredString(_ key: String) throws(MessageError) -> String {
        guard let string = self[key]?.string else { throw .missing(key) }
        return string
    }
}

// MARK: the opener's hello

extension JSONObject {
    /// The names of members are constants of ours, so an error may repeat those that are missing.
    func expectMembers(_ names: [String], of what: String) throws(OpenerHelloViolation) {
        if let missing = names.first(where: { self[$0] == nil }) {
            throw OpenerHelloViolation("\(what) lacks \"\(missing)\"")
        }
        guard count == names.count else { throw OpenerHelloViolation("\(what) has an unknown member") }
    }

    func list(_ key: String) throws(OpenerHelloViolation) -> [JSON] {
        guard let list = self[key]?.array else { throw OpenerHelloViolation("\"\(key)\" is no list") }
        return list
    }

    func texts(_ key: String) throws(OpenerHelloViolation) -> [String] {
        try list(key).map { element throws(OpenerHelloViolation) in
            guard let text = element.string else { throw OpenerHelloViolation("\"\(key)\" has what is no text") }
            return text
        }
    }

    /// 0, 1 and 2 are standard streams, 3 is the socket.
    func descriptors(_ key: String) throws(OpenerHelloViolation) -> [Int32] {
        try list(key).map { element throws(OpenerHelloViolation) in
            guard let number = element.integer, let descriptor = Int32(exactly: number), descriptor > 3 else {
                throw OpenerHelloViolation("\"\(key)\" has what is no descriptor")
            }
            return descriptor
        }
    }
}
