// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

extension JSONObject {
    /// Reads the payload in `bytes`, which messages call `name`.
    init(payload bytes: Span<UInt8>, _ name: String) throws(Failure) {
        do {
            self = try JSONObject(parsing: bytes)
        } catch .notAnObject {
            throw .refused("\(name) is no JSON object", hint: Self.example)
        } catch {
            throw .refused("\(name) is not JSON: \(error)", hint: Self.example)
        }
    }

    private static var example: String {
        #"a payload looks like {"aps":{"alert":{"title":"Alice","body":"Lunch?"}}}"#
    }
}
