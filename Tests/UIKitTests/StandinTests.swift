// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import UIKit

@MainActor @Suite struct StandinTests {
    @Test("the clipboard is empty whatever is written to it, which the log says")
    func pasteboard() {
        let logged = lines(startingWith: "writing to UIPasteboard") {
            UIPasteboard.general.string = "a secret"
            #expect(UIPasteboard.general.string == nil)
            #expect(!UIPasteboard.general.hasStrings)
        }
        #expect(logged.count <= 1)
    }

    @Test("generators of feedback take every call and write nothing")
    func feedback() {
        let logged = lines(startingWith: "") {
            UIImpactFeedbackGenerator(style: .heavy).impactOccurred()
            UINotificationFeedbackGenerator().notificationOccurred(.success)
            UISelectionFeedbackGenerator().selectionChanged()
        }
        #expect(logged.isEmpty)
    }
}
