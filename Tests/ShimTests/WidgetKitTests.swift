// SPDX-License-Identifier: Apache-2.0

import HostLog
import Testing
import WidgetKit

extension LogTests {
    struct WidgetKitTests {
        @Test func `a reload does nothing, and says so once`() async throws {
            let lines = recordingLog {
                WidgetCenter.shared.reloadAllTimelines()
                WidgetCenter.shared.reloadTimelines(ofKind: "Chat")
            }
            #expect(lines == [Line(level: .notice, message: "widgets told to reload: there are no widgets here")])
            #expect(try await WidgetCenter.shared.currentConfigurations().isEmpty)
        }
    }
}
