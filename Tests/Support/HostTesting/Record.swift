// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// A delivery record as a sink got it.
package struct Record {
    package let object: JSONObject

    package init(object: JSONObject) {
        self.object = object
    }

    package var outcome: String? { object["outcome"]?.string }
    package var reason: String? { object["reason"]?.string }
    package var isLate: Bool? { object["late"]?.bool }
    package var payload: Payload? { object["payload"]?.object.map { Payload($0) } }
    package var alert: JSONObject? { payload?.aps?["alert"]?.object }
    package var workerProcess: Int64? { object["worker"]?.object?["pid"]?.integer }
}
