// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

internal import struct Foundation.Date

/// The one device of the one app for which checks read pushes, and when.
struct SampleListener {
    static let only = SampleListener()

    let topic = "com.example.chat"
    let token = "ab"
    /// The id of a push that names none.
    let id = "00000000-0000-4000-8000-000000000000"
    let now = Date(timeIntervalSince1970: 1_763_693_000)
    let tokens: DeviceTokenTable

    private init() {
        var table = DeviceTokenTable()
        let app = DeviceTokenTable.Registration(
            topic: topic,
            environment: .development,
            pushTypes: Set(PushType.allCases)
        )
        table.register(app, tokens: [token])
        tokens = table
    }
}
