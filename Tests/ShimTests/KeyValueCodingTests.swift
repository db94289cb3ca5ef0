// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostLog
import Testing

@testable import FoundationCompatibility

struct KeyValueCodingTests {
    private let payload: NSDictionary = ["aps": ["alert": ["title": "Alice"], "badge": 2] as [String: Any], "a": [1]]

    @Test func `a key path goes through dictionaries`() {
        #expect(payload.value(forKeyPath: "aps.alert.title") as? String == "Alice")
        #expect(payload.value(forKeyPath: "aps.badge") as? Int == 2)
        #expect(payload.value(forKeyPath: "a") as? [Int] == [1])
    }

    @Test(arguments: ["aps.sound", "sound.name", "", "aps.", "a.count", "aps.@count", "aps.alert.title.length"])
    func `a key path that leads nowhere is nil`(path: String) {
        #expect(payload.value(forKeyPath: path) == nil)
    }

    @Test func `preferences have values by key`() throws {
        let suite = UserDefaults(suiteName: "nestbox.\(UUID().uuidString)")
        let defaults = try #require(suite)
        defaults.setValue(3, forKey: "count")
        #expect(defaults.value(forKey: "count") as? Int == 3)
        defaults.setValue(nil, forKey: "count")
        #expect(defaults.value(forKey: "count") == nil)
    }

    @Test func `a process is an ordinary phone's`() {
        #expect(!ProcessInfo.processInfo.isLowPowerModeEnabled)
        #expect(!ProcessInfo.processInfo.isiOSAppOnMac && !ProcessInfo.processInfo.isMacCatalystApp)
    }
}
