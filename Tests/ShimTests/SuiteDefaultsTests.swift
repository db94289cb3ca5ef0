// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostLog
import Testing
import WorkerFolders

@testable import FoundationCompatibility

extension LogTests {
    /// Tests that have, besides the log, the scratch folder of the process to themselves.
    struct SuiteDefaultsTests {
        private func withScratch(_ body: (String) throws -> Void) throws {
            let scratch = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
            try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
            WorkerFolders.set(scratch: scratch)
            defer {
                WorkerFolders.set(scratch: nil)
                try? FileManager.default.removeItem(atPath: scratch)
            }
            try body(scratch)
        }

        @Test func `a suite keeps every type, at once and for the next process`() throws {
            try withScratch { scratch in
                let name = "com.example.suite"
                let defaults = try #require(UserDefaults(suiteName: name))
                #expect(defaults is SuiteDefaults)
                defaults.set("text", forKey: "string")
                defaults.set(7, forKey: "integer")
                defaults.set(1.5, forKey: "double")
                defaults.set(true, forKey: "bool")
                defaults.set(Data([1, 2]), forKey: "data")
                defaults.set(["a", "b"], forKey: "array")
                defaults.set(["k": 1], forKey: "dictionary")
                defaults.set(URL(string: "https://example.com/a"), forKey: "url")

                // Another instance knows nothing but the file.
                let other = try #require(UserDefaults(suiteName: name))
                #expect(other.string(forKey: "string") == "text")
                #expect(other.integer(forKey: "integer") == 7)
                #expect(other.string(forKey: "integer") == "7")
                #expect(other.double(forKey: "double") == 1.5)
                #expect(other.bool(forKey: "bool"))
                #expect(other.data(forKey: "data") == Data([1, 2]))
                #expect(other.stringArray(forKey: "array") == ["a", "b"])
                #expect(other.dictionary(forKey: "dictionary") as? [String: Int] == ["k": 1])
                #expect(other.url(forKey: "url") == URL(string: "https://example.com/a"))
                #expect(other.object(forKey: "absent") == nil)
                #expect(other.integer(forKey: "absent") == 0)

                other.removeObject(forKey: "string")
                #expect(defaults.string(forKey: "string") == nil)
                let file = "\(scratch)/home/Library/Preferences/com.example.suite.plist"
                #expect(FileManager.default.fileExists(atPath: file))
            }
        }

        @Test func `a registered value counts as long as none is set, and is not written`() throws {
            try withScratch { _ in
                let defaults = try #require(UserDefaults(suiteName: "a"))
                defaults.register(defaults: ["count": 3])
                #expect(defaults.integer(forKey: "count") == 3)
                #expect(UserDefaults(suiteName: "a")?.integer(forKey: "count") == 0)
                defaults.set(4, forKey: "count")
                #expect(defaults.integer(forKey: "count") == 4)
            }
        }

        @Test func `two processes that change different keys lose neither`() throws {
            try withScratch { scratch in
                let files = [PreferencesFile(path: "\(scratch)/a.plist"), PreferencesFile(path: "\(scratch)/a.plist")]
                DispatchQueue.concurrentPerform(iterations: 2) { index in
                    for number in 0..<50 { files[index].set(number, forKey: "\(index)-\(number)") }
                }
                #expect(files[0].all.count == 100)
                #expect(files[1].all.count == 100)
            }
        }

        @Test func `what is no property list is left out with a warning`() throws {
            try withScratch { _ in
                let lines = try recordingLog {
                    let defaults = try #require(UserDefaults(suiteName: "b"))
                    defaults.set(NSObject(), forKey: "object")
                    #expect(defaults.object(forKey: "object") == nil)
                }
                #expect(
                    lines.map(\.message) == ["preferences hold property lists only, and no NSObject: left out"]
                )
            }
        }

        @Test func `the name of a suite leads out of no folder`() throws {
            try withScratch { scratch in
                let defaults = try #require(UserDefaults(suiteName: "../../up"))
                defaults.set(1, forKey: "a")
                let folder = "\(scratch)/home/Library/Preferences"
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
                        ".._.._up.plist", ".._.._up.plist.lock",
                    ]
                )
            }
        }

        @Test func `a group has its folder, if the bundle lists it`() throws {
            try withScratch { scratch in
                let attributes = ["AppGroups": ["group.com.example", "group.a/../../b", "com.example"]]
                let listed = AppGroup.groups(in: ["NSExtension": ["NSExtensionAttributes": attributes]])
                #expect(listed == ["group.com.example"])
                let group = try #require(AppGroup("group.com.example", listed: listed))
                #expect(group.path == "\(scratch)/groups/group.com.example")
                #expect(FileManager.default.fileExists(atPath: group.path))
                #expect(AppGroup("group.other", listed: listed) == nil)
                let lines = recordingLog {
                    let url = FileManager.default.containerURL(
                        forSecurityApplicationGroupIdentifier: "group.unlisted"
                    )
                    #expect(url == nil)
                }
                #expect(
                    lines.map(\.message) == [
                        "app group \"group.unlisted\" is not listed under AppGroups in Info.plist"
                    ]
                )
            }
        }

        @Test func `outside a worker there are no groups, and suites are Foundation's`() throws {
            #expect(AppGroup("group.com.example", listed: ["group.com.example"]) == nil)
            #expect(try #require(UserDefaults(suiteName: "c")) as? SuiteDefaults == nil)
        }
    }

    struct AppGroupNameTests {
        @Test(arguments: ["group.a", "group.com.example-1.Chat"])
        func `a group is named by the rule`(name: String) {
            #expect(WorkerFolders.isAppGroup(name))
        }

        @Test(arguments: [
            "", "group.", "com.example", "group.a/b", "group.ä", "group.a b",
            "group." + String(repeating: "a", count: 123),
        ])
        func `any other name is refused`(name: String) {
            #expect(!WorkerFolders.isAppGroup(name))
        }
    }
}
