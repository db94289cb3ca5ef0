// SPDX-License-Identifier: Apache-2.0

private import CenterStore
private import NotificationPayload

/// Feeds hostile bytes to the reader of contents, as a damaged disk would.
public enum StoredContentCheck {
    /// Reads bytes as a content; what is none is damage, and refused.
    public static func check(_ bytes: [UInt8]) -> Verdict {
        Verdict { () throws(BrokenPromise) in
            guard let content = NotificationContent(stored: bytes) else { return 0 }
            let stored = content.stored
            try expect(NotificationContent(stored: stored) == content, "a content reads the same once stored")
            try expect(NotificationContent(stored: stored)?.stored == stored, "a content has one spelling")
            let opening = NotificationContent.opening(content.identifier)
            try expect(stored.starts(with: opening), "a stored content begins with its identifier")
            let other = NotificationContent.opening(content.identifier + "!")
            try expect(!stored.starts(with: other), "a stored content begins with no other identifier")
            try expect(JSON.object(content.payload).isNested(atMost: Payload.depthLimit + 1), "a payload has its depth")
            return 1
        }
    }
}
