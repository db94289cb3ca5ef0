// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// The name by which an app asks for the bytes of a file that the centre keeps for it.
///
/// The name holds as long as a notification, a request or a response of the app has the file.
package struct StoredFileName: Sendable, Equatable, Hashable {
    /// Bytes of the word that the centre gives a file.
    package static let byteCounts = 1...32

    /// The identifier of the request to which the file belongs.
    package var request: String
    /// The centre's word for the file, as its lists have it.
    package var file: String

    package init(request: String, file: String) {
        self.request = request
        self.file = file
    }
}

extension StoredFileName {
    func write(to body: inout JSONObject) {
        body["identifier"] = .string(request)
        body["file"] = .string(file)
    }

    init(_ members: inout Members) throws(MemberFault) {
        request = try members.identifier()
        file = try members.text("file", Self.byteCounts)
    }
}
