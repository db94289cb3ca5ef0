// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationScene
import SceneModel
import Testing
import ViewSession

/// Shows the files of a list of names in a folder.
private struct Album: NotificationScene {
    let folder: URL
    @State var names: [String] = []

    func body(_ content: UNNotificationContent, _ view: ViewContext) -> some SceneContent {
        Column {
            for name in names { Image(contentsOf: folder.appending(path: name)) }
            Button("Next") { names = names.map { String((Int($0) ?? 0) + 1) } }
        }
    }
}

/// The pictures of a scene: which files its host is told of, and which numbers nodes have.
@MainActor final class PictureTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ name: String, _ text: String = "picture") throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    private func bench(_ names: String...) -> SceneBench<Album> {
        let album = Album(folder: folder)
        album.names = names
        return SceneBench(album, scratch: folder.path)
    }

    private func sources(_ bench: SceneBench<Album>) -> [UInt32?] {
        bench.tree.inOrder.compactMap { node -> UInt32?? in
            if case .image(let image) = node.kind { .some(image.source) } else { nil }
        }
    }

    private func files(_ bench: SceneBench<Album>) -> [SceneFile] { bench.updates.flatMap(\.files) }

    private func next(_ bench: SceneBench<Album>) throws {
        let button = try bench.node(.button)
        #expect(bench.take(.node(button.id, .tap(at: nil))) != nil)
    }

    @Test func `a file is copied once, and its nodes have its number`() throws {
        try write("1")
        let bench = bench("1", "1")
        #expect(sources(bench) == [1, 1])
        let told = files(bench)
        #expect(told.map(\.number) == [1])
        let copy = try #require(told.first?.path)
        #expect(copy.hasPrefix("tmp/picture-"))
        #expect(FileManager.default.contents(atPath: folder.path + "/" + copy) == Data("picture".utf8))
        // What is drawn again is not copied again.
        try write("2", "another")
        try next(bench)
        #expect(sources(bench) == [2, 2])
        #expect(files(bench).map(\.number) == [1, 2])
    }

    @Test func `a file that was written to has another number`() throws {
        for name in 1...5 { try write("\(name)") }
        let bench = bench("1", "3")
        try next(bench)
        try write("3", "longer than before as well")
        try next(bench)
        #expect(sources(bench) == [5, 6])
        #expect(files(bench).map(\.number) == [1, 2, 3, 4, 5, 6])
    }

    @Test func `what is no file draws nothing, and the scene goes on`() throws {
        try write("2", "")
        try FileManager.default.createDirectory(at: folder.appending(path: "3"), withIntermediateDirectories: true)
        let bench = bench("1", "2", "3")
        #expect(sources(bench) == [nil, nil, nil])
        #expect(files(bench).isEmpty)
        #expect(bench.faults.isEmpty)
    }

    @Test func `a show of pictures tells of each once, and those that are shown stay known`() throws {
        for name in 1...40 { try write("\(name)", "picture \(name)") }
        let bench = bench("1", "2")
        for _ in 1...30 { try next(bench) }
        #expect(sources(bench) == [31, 32])
        #expect(files(bench).map(\.number) == Array(1...32))
    }

    @Test func `sixteen are shown at once, and the seventeenth is not`() throws {
        for name in 1...17 { try write("\(name)") }
        let album = Album(folder: folder)
        album.names = (1...17).map { "\($0)" }
        let bench = SceneBench(album, scratch: folder.path)
        #expect(sources(bench) == (1...16).map { $0 } + [nil])
    }

    @Test func `a link is followed, and what cannot be copied is tried once`() throws {
        try write("real")
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "1"),
            withDestinationURL: folder.appending(path: "real")
        )
        let linked = bench("1")
        #expect(sources(linked) == [1])
        let album = Album(folder: folder)
        album.names = ["1"]
        // No folder can be made below a file.
        let blocked = folder.appending(path: "blocked")
        try Data().write(to: blocked)
        let nowhere = SceneBench(album, scratch: blocked.path)
        #expect(sources(nowhere) == [nil])
        try FileManager.default.removeItem(at: blocked)
        nowhere.take(.environment(ViewEnvironment(width: 300)))
        #expect(sources(nowhere) == [nil])
        #expect(!FileManager.default.fileExists(atPath: blocked.path))
    }

    @Test func `without a folder nothing is shown`() throws {
        try write("1")
        let album = Album(folder: folder)
        album.names = ["1"]
        let bench = SceneBench(album)
        #expect(sources(bench) == [nil])
    }

    @Test func `a file of the notification is named where it lies, and is shown when it has gone`() throws {
        try FileManager.default.createDirectory(at: folder.appending(path: "tmp"), withIntermediateDirectories: true)
        try write("tmp/shown-7.png")
        var files = SceneFiles(in: folder.path)
        files.begin()
        let place = folder.appending(path: "tmp/shown-7.png")
        let number = files.number(of: place)
        #expect(number == 1)
        #expect(files.takeNew() == [SceneFile(number: 1, path: "tmp/shown-7.png")])
        try FileManager.default.removeItem(at: place)
        files.begin()
        let again = files.number(of: place)
        #expect(again == 1)
        #expect(files.takeNew() == [])
    }

    @Test(arguments: ["film.avi", "sound.aiff", "wrong.mp3"])
    func `a film or sound that no browser plays has no number`(name: String) throws {
        try write(name, name == "sound.aiff" ? "FORM    AIFF" : "RIFF    AVI ")
        var files = SceneFiles(in: folder.path)
        let number = files.number(of: folder.appending(path: name))
        #expect(number == nil)
        #expect(files.takeNew() == [])
    }
}
