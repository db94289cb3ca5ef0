// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionHost

/// The changes of files for which `--watch` runs again, and those for which it does not.
@Suite(.timeLimit(.minutes(1)))
final class FileWatchTests {
    private let folder = NSTemporaryDirectory() + "watch-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(atPath: folder + "/Sources", withIntermediateDirectories: true)
        try write("Sources/A.swift")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func write(_ name: String) throws {
        try #require(FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: Data("text".utf8)))
    }

    private func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(folder)/\(name)") }

    @Test(arguments: ["Sources", "Sources/A.swift"]) func `a file that is written is a change`(path: String) throws {
        let watch = try FileWatch()
        #expect(try watch.add("\(folder)/\(path)"))
        try write("Sources/A.swift")
        #expect(watch.readChanges())
    }

    @Test func `a file of its own with a dot counts, and one below a folder does not`() throws {
        try write("Sources/.payload.json")
        let watch = try FileWatch()
        #expect(try watch.add(folder + "/Sources"))
        try write("Sources/.payload.json")
        #expect(!watch.readChanges())
        #expect(try watch.add(folder + "/Sources/.payload.json"))
        try write("Sources/.payload.json")
        #expect(watch.readChanges())
    }

    @Test func `files and folders that are passed over do not count, by whatever path they are written`() throws {
        try FileManager.default.createSymbolicLink(atPath: folder + "/Link", withDestinationPath: folder + "/Sources")
        let watch = try FileWatch(passingOver: [folder + "/Link/report.xml", folder + "/Sources/../Sources/state"])
        #expect(try watch.add(folder + "/Sources"))
        try write("Sources/report.xml")
        try write("Link/report.xml")
        try FileManager.default.createDirectory(
            atPath: folder + "/Sources/state/app",
            withIntermediateDirectories: true
        )
        #expect(!watch.readChanges())
        // Those that are there by now.
        #expect(try watch.add(folder + "/Sources"))
        try write("Sources/state/app/file")
        try write("Sources/report.xml")
        #expect(!watch.readChanges())
        try write("Sources/report.xml.swift")
        #expect(watch.readChanges())
    }

    @Test func `a change is told though names that do not count change all the time`() throws {
        let watch = try FileWatch(passingOver: [folder + "/Sources/report.xml"])
        #expect(try watch.add(folder + "/Sources"))
        let report = folder + "/Sources/report.xml"
        let writer = Thread {
            while !Thread.current.isCancelled { _ = FileManager.default.createFile(atPath: report, contents: nil) }
        }
        writer.start()
        defer { writer.cancel() }
        try write("Sources/A.swift")
        watch.waitForChange()
    }

    @Test(arguments: [("Sources/A.swift", "Sources/A.swift"), ("Sources", "Sources/A.swift")])
    func `one that is missing is no error, and a change once it is there`(removed: String, watched: String) throws {
        let watch = try FileWatch()
        #expect(try watch.add("\(folder)/\(watched)"))
        try remove(removed)
        #expect(watch.readChanges())
        #expect(try !watch.add("\(folder)/\(watched)"))
        if removed == "Sources" {
            try FileManager.default.createDirectory(atPath: folder + "/Sources", withIntermediateDirectories: true)
            #expect(watch.readChanges())
            #expect(try !watch.add("\(folder)/\(watched)"))
        }
        try write("Sources/A.swift")
        #expect(watch.readChanges())
        #expect(try watch.add("\(folder)/\(watched)"))
    }

    @Test func `a folder that is made again is watched again, with those below`() throws {
        let watch = try FileWatch()
        #expect(try watch.add(folder + "/Sources"))
        try remove("Sources")
        #expect(watch.readChanges())
        #expect(try !watch.add(folder + "/Sources"))
        try FileManager.default.createDirectory(atPath: folder + "/Sources/Below", withIntermediateDirectories: true)
        #expect(watch.readChanges())
        #expect(try watch.add(folder + "/Sources"))
        try write("Sources/Below/B.swift")
        #expect(watch.readChanges())
    }
}
