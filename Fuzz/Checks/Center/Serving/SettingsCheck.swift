// SPDX-License-Identifier: Apache-2.0

private import CenterServing
private import NotificationPayload
private import UserNotificationCenter

/// Feeds hostile changes to what an owner wants, and holds what comes of them against what they name.
///
/// The first line says whose settings change: `app` for the switches of an app, `owner` for the owner's wishes. Each
/// further line is the body of a `PATCH`; those that are no JSON object are left out.
/// Source: docs/notification-center.md, "The API".
public enum SettingsCheck {
    /// Applies one change after the other; those that are accepted are taken.
    public static func check(_ bytes: [UInt8]) -> Verdict {
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        let changes = lines.dropFirst().prefix(16).compactMap { try? JSONObject(parsing: Array($0).span) }
        return Verdict { () throws(BrokenPromise) in
            switch lines.first.map({ String(decoding: $0, as: UTF8.self) }) {
            case "app": try changeApp(changes)
            case "owner": try changeOwner(changes)
            default: 0
            }
        }
    }

    private static func read(_ object: JSONObject) throws(BrokenPromise) -> JSONObject {
        guard let read = try? JSONObject(parsing: object.serialized.span, depthLimit: 8) else {
            throw BrokenPromise("what settings are written as can be read")
        }
        return read
    }

    // MARK: An app's

    private static func changeApp(_ changes: [JSONObject]) throws(BrokenPromise) -> Int {
        var settings = InstallationSettings()
        var taken = 0
        for change in changes {
            let former = settings
            do { try settings.apply(change) } catch {
                try expect(settings == former, "a change that is refused changes nothing: \(error)")
                continue
            }
            taken += 1
            let (before, after) = (former.json, settings.json)
            try expect(after.count == 10, "an app has ten settings")
            for member in after.members {
                let expected = change[member.key] ?? before[member.key]
                try expect(member.value == expected, "a setting is what the change names: \(member.key)")
            }
            var again = InstallationSettings()
            try? again.apply(try read(after))
            try expect(again == settings, "settings read the same once written")
            try? settings.apply(change)
            try expect(again == settings, "a change that is made twice changes nothing")
        }
        return taken
    }

    // MARK: An owner's

    private static func changeOwner(_ changes: [JSONObject]) throws(BrokenPromise) -> Int {
        var wishes = OwnerWishes()
        var taken = 0
        for change in changes {
            let former = wishes
            do { try wishes.apply(change) } catch {
                try expect(wishes == former, "a change that is refused changes nothing: \(error)")
                continue
            }
            taken += 1
            try expect(wishes.language == named("language", change, former.language), "a language is the one named")
            try expect(wishes.zoneName == named("zone", change, former.zoneName), "a zone is the one named")
            try expect(change["doNotDisturb"] != nil || wishes.quiet == former.quiet, "quiet stays as it is")
            try expect(change["summary"] != nil || wishes.summary == former.summary, "a summary stays as it is")
            try expect(change["doNotDisturb"] != .null || wishes.quiet == DoNotDisturb(), "null takes quiet back")
            try expect(change["summary"] != .null || wishes.summary == SummaryPlan(), "null takes a summary back")
            try expect(OwnerWishes(stored: wishes.stored) == wishes, "wishes read the same once stored")
            var again = OwnerWishes()
            try? again.apply(try read(wishes.json))
            try expect(again == wishes, "wishes read the same once written")
            try HoursCheck.check(wishes.quiet)
            try HoursCheck.check(wishes.summary)
        }
        return taken
    }

    /// The text that a change names, or the former one; `nil` means that it names `null`.
    private static func named(_ key: String, _ change: JSONObject, _ former: String?) -> String? {
        change[key].map(\.string) ?? former
    }
}
