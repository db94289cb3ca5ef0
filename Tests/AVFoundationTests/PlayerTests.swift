// SPDX-License-Identifier: Apache-2.0

import Foundation
import Locking
import SceneModel
import TestClock
import Testing

@testable import AVFoundation
@testable import AVKit
@testable import UIKit

@MainActor @Suite struct PlayerTests {
    /// A window with a film of a player in its box.
    @MainActor struct Shown {
        let clock: ManualClock
        let window: UIWindow
        let box: UIView
        let player: AVPlayer

        /// The nodes that changed, until nothing is left.
        func nodes() -> [SceneNode] {
            var nodes: [SceneNode] = []
            for _ in 0..<10 {
                let (set, gone) = window.draw(in: ViewEnvironment()) { _ in nil }
                guard !set.isEmpty || !gone.isEmpty else { break }
                nodes += set
            }
            return nodes
        }

        /// The film as it was drawn last, if it has changed.
        func film() -> SceneMedia? {
            nodes().compactMap { node in if case .media(let media) = node.kind { media } else { nil } }.last
        }

        /// Tells the window of an event of the film.
        func tell(_ event: NodeEvent) throws {
            let node = try #require(window.drawnNodes.first { $0.kind.name == .media })
            window.take(event, ofNode: node.id)
        }
    }

    static let url = URL(fileURLWithPath: "/bundle/film.mp4")

    /// Runs a test on a stage with a clock of its own; the page can be given what has the ending mp4.
    static func show(
        _ player: AVPlayer? = nil,
        hasLayer: Bool = true,
        _ body: @MainActor (Shown) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        try await Stage.with(Stage(clock: clock)) {
            let player = player ?? AVPlayer(url: url)
            let controller = UIViewController(nibName: nil, bundle: nil)
            let box = UIView(frame: CGRect(x: 0, y: 0, width: 360, height: 200))
            controller.view = box
            if hasLayer {
                let layer = AVPlayerLayer(player: player)
                layer.frame = box.bounds
                box.layer.addSublayer(layer)
            }
            let window = UIWindow(frame: box.frame)
            window.show {}
            window.setFiles(pictures: { _ in nil }, media: { $0.pathExtension == "mp4" ? 7 : nil })
            window.rootViewController = controller
            try await body(Shown(clock: clock, window: window, box: box, player: player))
        }
    }

    /// The names of the notifications of an item while the body runs.
    static func posted(of item: AVPlayerItem?, _ body: () throws -> Void) rethrows -> [String] {
        let names = Locked<[String]>([])
        let all: [NSNotification.Name] = [
            .AVPlayerItemDidPlayToEndTime, .AVPlayerItemFailedToPlayToEndTime, .AVPlayerItemTimeJumped,
        ]
        let tokens = all.map { name in
            NotificationCenter.default.addObserver(forName: name, object: item, queue: nil) { notification in
                names.withLock { $0.append(notification.name.rawValue) }
            }
        }
        defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
        try body()
        return names.withLock { $0 }
    }

    @Test("what a program does with a player is what its node says")
    func commands() async throws {
        try await Self.show { shown in
            #expect(shown.film() == SceneMedia(source: 7))
            (shown.player.volume, shown.player.isMuted) = (0.5, true)
            shown.player.play()
            #expect(shown.film() == SceneMedia(source: 7, isPlaying: true, isMuted: true, volume: 0.5))
            shown.player.seek(to: CMTime(value: 3, timescale: 2))
            let film = try #require(shown.film())
            #expect(film.seconds == 1.5)
            #expect(film.jump == 1)
            shown.player.pause()
            #expect(shown.film()?.isPlaying == false)
        }
    }

    @Test("a player waits until the page knows the file, and the time goes on by the clock from then on")
    func time() async throws {
        try await Self.show { shown in
            _ = shown.film()
            shown.player.play()
            _ = shown.film()
            #expect(shown.player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
            #expect(shown.player.currentItem?.duration.isIndefinite == true)
            shown.clock.advance(by: .seconds(1))
            try shown.tell(.ready(10))
            #expect(shown.player.status == .readyToPlay)
            #expect(shown.player.timeControlStatus == .playing)
            #expect(shown.player.currentItem?.duration.seconds == 10)
            #expect(shown.player.currentTime().seconds == 0)
            shown.clock.advance(by: .seconds(2))
            #expect(shown.player.currentTime().seconds == 2)
            try shown.tell(.time(1.5))
            #expect(shown.player.currentTime().seconds == 1.5)
            shown.clock.advance(by: .seconds(1))
            shown.player.pause()
            shown.clock.advance(by: .seconds(5))
            #expect(shown.player.currentTime().seconds == 2.5)
            shown.player.play()
            shown.clock.advance(by: .seconds(60))
            #expect(shown.player.currentTime().seconds == 10)
        }
    }

    @Test("the page's word that it plays or has paused is the player's rate")
    func pageButtons() async throws {
        try await Self.show { shown in
            _ = shown.film()
            try shown.tell(.ready(10))
            try shown.tell(.playing)
            #expect(shown.player.rate == 1)
            try shown.tell(.paused)
            #expect(shown.player.rate == 0)
            #expect(shown.player.timeControlStatus == .paused)
        }
    }

    @Test("the end is posted with the item, and the player pauses there")
    func end() async throws {
        try await Self.show { shown in
            _ = shown.film()
            shown.player.play()
            _ = shown.film()
            try shown.tell(.ready(4))
            let names = try Self.posted(of: shown.player.currentItem) { try shown.tell(.ended) }
            #expect(names == ["AVPlayerItemDidPlayToEndTimeNotification"])
            #expect(shown.player.rate == 0)
            #expect(shown.player.currentTime().seconds == 4)
        }
    }

    @Test("a file that the page cannot be given fails, and says so")
    func failed() async throws {
        try await Self.show(AVPlayer(url: URL(fileURLWithPath: "/bundle/film.avi"))) { shown in
            let item = try #require(shown.player.currentItem)
            shown.player.play()
            #expect(shown.film() == SceneMedia())
            try await PlayerTests.wait { item.status == .failed }
            #expect(shown.player.status == .failed)
            #expect(shown.player.rate == 0)
            #expect((shown.player.error as? NSError)?.localizedDescription == "the page cannot play \"film.avi\"")
        }
    }

    @Test("observers of a player's properties by key path hear of changes until they are let go of")
    func keyPaths() async throws {
        try await Self.show { shown in
            _ = shown.film()
            var heard: [String] = []
            let item = try #require(shown.player.currentItem)
            let status = item.observe(\.status, options: [.new]) { _, change in
                heard.append("status \(change.newValue?.rawValue ?? -1)")
            }
            var control: NSKeyValueObservation? = shown.player.observe(\.timeControlStatus, options: .initial) {
                player,
                _ in
                heard.append("control \(player.timeControlStatus.rawValue)")
            }
            shown.player.play()
            try shown.tell(.ready(4))
            control?.invalidate()
            control = nil
            shown.player.pause()
            #expect(heard == ["control 0", "control 1", "status 1", "control 2"])
            status.invalidate()
        }
    }

    @Test("a periodic observer is called by the clock while the film plays")
    func periodic() async throws {
        try await Self.show { shown in
            _ = shown.film()
            shown.player.play()
            _ = shown.film()
            try shown.tell(.ready(10))
            let times = Locked<[Double]>([])
            let token = shown.player.addPeriodicTimeObserver(
                forInterval: CMTime(value: 1, timescale: 2),
                queue: .main
            ) { time in times.withLock { $0.append(time.seconds) } }
            for half in 1...3 {
                await shown.clock.sleeper(until: .milliseconds(500 * half))
                shown.clock.advance(to: .milliseconds(500 * half))
                try await PlayerTests.wait { times.withLock(\.count) == half }
            }
            shown.player.removeTimeObserver(token)
            #expect(times.withLock { $0 } == [0.5, 1, 1.5])
        }
    }

    @Test("a boundary observer is called once the film has come there")
    func boundary() async throws {
        try await Self.show { shown in
            _ = shown.film()
            shown.player.play()
            _ = shown.film()
            try shown.tell(.ready(10))
            let count = Locked(0)
            let token = shown.player.addBoundaryTimeObserver(
                forTimes: [NSValue(time: CMTime(value: 2, timescale: 1))],
                queue: nil
            ) { count.withLock { $0 += 1 } }
            await shown.clock.sleeper(until: .seconds(2))
            #expect(count.withLock { $0 } == 0)
            shown.clock.advance(to: .seconds(2))
            try await PlayerTests.wait { count.withLock { $0 } == 1 }
            shown.player.removeTimeObserver(token)
        }
    }

    @Test("a player without a layer has a node while it plays, and none before and behind")
    func unseen() async throws {
        try await Self.show(hasLayer: false) { shown in
            #expect(shown.film() == nil)
            shown.player.play()
            #expect(shown.film() == SceneMedia(source: 7, isPlaying: true))
            shown.player.pause()
            _ = shown.film()
            #expect(shown.window.drawnNodes.allSatisfy { $0.kind.name != .media })
        }
    }

    @Test("the node of a player without a layer goes with the player")
    func gone() async throws {
        try await Self.show(hasLayer: false) { shown in
            var other: AVPlayer? = AVPlayer(url: Self.url)
            other?.play()
            #expect(shown.film()?.isPlaying == true)
            other = nil
            _ = shown.nodes()
            #expect(shown.window.drawnNodes.allSatisfy { $0.kind.name != .media })
        }
    }

    @Test("a queue goes on with the next item, and a looper has the page repeat one")
    func queue() async throws {
        let items = ["one.mp4", "two.mp4"].map { AVPlayerItem(url: URL(fileURLWithPath: "/bundle/\($0)")) }
        let queue = AVQueuePlayer(items: items)
        try await Self.show(queue) { shown in
            _ = shown.film()
            queue.play()
            try shown.tell(.ready(4))
            try shown.tell(.ended)
            #expect(queue.currentItem === items[1])
            #expect(queue.rate == 1)
            #expect(!queue.canInsert(items[1], after: nil))
            try shown.tell(.ended)
            #expect(queue.items().isEmpty)
            #expect(queue.rate == 0)
            let looper = AVPlayerLooper(player: queue, templateItem: items[0])
            #expect(shown.film()?.isLooping == true)
            looper.disableLooping()
            #expect(shown.film()?.isLooping == false)
        }
    }

    @Test("a player's controller shows the film with the page's buttons, unless it says otherwise")
    func controller() async throws {
        try await Self.show(hasLayer: false) { shown in
            let controller = AVPlayerViewController()
            controller.player = shown.player
            controller.videoGravity = .resizeAspectFill
            controller.view.frame = shown.box.bounds
            shown.box.addSubview(controller.view)
            #expect(shown.film() == SceneMedia(source: 7, hasControls: true, fit: .cover))
            controller.showsPlaybackControls = false
            #expect(shown.film()?.hasControls == false)
        }
    }

    /// An ear of an `AVAudioPlayer`.
    final class Ear: NSObject, AVAudioPlayerDelegate {
        var ends: [Bool] = []
        func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) { ends.append(flag) }
    }

    @Test("a sound plays its rounds, and tells of the end")
    func sound() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).mp4")
        try Data([0]).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await Self.show(hasLayer: false) { shown in
            let (sound, ear) = (try AVAudioPlayer(contentsOf: file), Ear())
            (sound.delegate, sound.numberOfLoops, sound.volume) = (ear, 1, 0.25)
            let hasBegun = sound.play()
            #expect(hasBegun)
            #expect(shown.film() == SceneMedia(source: 7, isPlaying: true, volume: 0.25))
            try shown.tell(.ended)
            #expect(ear.ends.isEmpty)
            #expect(sound.isPlaying)
            try shown.tell(.ended)
            #expect(ear.ends == [true])
            #expect(!sound.isPlaying)
        }
        #expect(throws: CocoaError.self) { try AVAudioPlayer(contentsOf: URL(fileURLWithPath: "/nowhere.mp4")) }
    }

    /// Lets the main actor run until a condition holds.
    static func wait(until condition: @MainActor () -> Bool) async throws {
        while !condition() { try await Task.turn() }
    }
}
