// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing
import UserNotifications

struct ValueClassTests {
    @Test func `copy of an immutable content is the content`() throws {
        let content = content(aps: ["alert": "a"])
        #expect(content.copy() as AnyObject === content)
        #expect(!(content.copy() is UNMutableNotificationContent))
    }

    @Test func `mutableCopy is mutable and apart`() throws {
        let content = content(aps: ["alert": "a"])
        let mutable = try #require(content.mutableCopy() as? UNMutableNotificationContent)
        mutable.body = "b"
        #expect(content.body == "a")
        #expect(mutable.body == "b")
        let another = try #require(mutable.mutableCopy() as? UNMutableNotificationContent)
        another.body = "c"
        #expect(mutable.body == "b")
    }

    @Test func `copy of a mutable content is immutable and apart`() throws {
        let mutable = UNMutableNotificationContent()
        mutable.title = "a"
        let copy = try #require(mutable.copy() as? UNNotificationContent)
        mutable.title = "b"
        #expect(copy.title == "a")
        #expect(!(copy is UNMutableNotificationContent))
    }

    @Test func `a request copies its content`() {
        let mutable = UNMutableNotificationContent()
        mutable.title = "a"
        let request = UNNotificationRequest(identifier: "i", content: mutable, trigger: nil)
        mutable.title = "b"
        #expect(request.content.title == "a")
        #expect(request.identifier == "i")
        #expect(request.trigger == nil)
        #expect(!(request.content is UNMutableNotificationContent))
        #expect(request.copy() as AnyObject === request)
    }

    @Test func `contents are equal by what they hold`() throws {
        let left = content(["aps": ["alert": "a"], "id": 1])
        let right = try withUserInfoSet(left)
        #expect(left == right)
        #expect(left.hash == right.hash)
        right.userInfo["id"] = 2
        #expect(left != right)
    }

    @Test func `a push trigger does not repeat`() {
        #expect(!UNPushNotificationTrigger().repeats)
    }

    @Test func `a content survives its archive`() throws {
        let before = content(["aps": ["alert": ["title": "A"], "sound": "a.caf"], "id": 1])
        let data = try NSKeyedArchiver.archivedData(withRootObject: before, requiringSecureCoding: true)
        let after = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: UNNotificationContent.self, from: data)
        )
        #expect(after == before)
    }

    @Test func `an archive keeps what an extension wrote apart from what came`() throws {
        let before = UNMutableNotificationContent()
        before.title = "new"
        before.userInfo = ["id": 1]
        let data = try NSKeyedArchiver.archivedData(withRootObject: before, requiringSecureCoding: true)
        let after = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: UNMutableNotificationContent.self, from: data)
        )
        #expect(after == before)
        #expect(after.userInfo.count == 1)
        #expect(after.title == "new")
    }

    @Test func `a request survives its archive`() throws {
        let trigger = UNPushNotificationTrigger()
        let before = UNNotificationRequest(identifier: "i", content: content(aps: ["badge": 1]), trigger: trigger)
        let data = try NSKeyedArchiver.archivedData(withRootObject: before, requiringSecureCoding: true)
        let after = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: UNNotificationRequest.self, from: data)
        )
        #expect(after == before)
        #expect(after.trigger is UNPushNotificationTrigger)
    }

    @Test(arguments: [
        UNNotificationSound.default, .defaultCritical, .defaultRingtone,
        .criticalSoundNamed(UNNotificationSoundName("a.caf"), withAudioVolume: 0.3),
    ])
    func `a sound survives its archive`(sound: UNNotificationSound) throws {
        let data = try NSKeyedArchiver.archivedData(withRootObject: sound, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: UNNotificationSound.self, from: data) == sound)
    }

    @Test func `an unknown provider of content is refused`() {
        final class Provider: NSObject, UNNotificationContentProviding {}
        #expect(throws: UNError(.contentProvidingObjectNotAllowed)) {
            try UNNotificationContent().updating(from: Provider())
        }
    }

    @Test func `errors are caught by their code`() {
        do {
            throw UNError(.attachmentCorrupt, userInfo: ["k": 1])
        } catch UNError.attachmentInvalidURL {
            Issue.record("another code matched")
        } catch UNError.attachmentCorrupt {
        } catch {
            Issue.record("no code matched")
        }
        let error = UNError(.attachmentInvalidFileSize) as NSError
        #expect(error.domain == UNErrorDomain)
        #expect(error.code == 102)
    }

    @Test func `a content can be changed and read from two threads`() {
        let content = UNMutableNotificationContent()
        DispatchQueue.concurrentPerform(iterations: 64) { index in
            content.title = "title \(index)"
            content.userInfo["k\(index)"] = index
            _ = content.payload()
        }
        #expect(content.title.hasPrefix("title "))
    }
}
