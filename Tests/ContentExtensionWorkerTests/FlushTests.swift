// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SceneModel
import Testing
import UIKit
import UserNotificationsUI

/// A clock that stands still until it is advanced.
// SAFETY: what changes is touched under the lock.
private final class HeldClock: Clock, @unchecked Sendable {
    struct Instant: InstantProtocol {
        let offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let lock = NSLock()
    private var time = Instant(offset: .zero)
    private var sleepers: [(wake: Instant, continuation: CheckedContinuation<Void, Never>)] = []

    var now: Instant { lock.withLock { time } }
    var minimumResolution: Duration { .zero }

    func sleep(until wake: Instant, tolerance: Duration?) async throws {
        await withCheckedContinuation { continuation in
            let isOver = lock.withLock {
                if wake > time { sleepers.append((wake, continuation)) }
                return wake <= time
            }
            if isOver { continuation.resume() }
        }
    }

    func advance(by duration: Duration) {
        let due = lock.withLock {
            time = time.advanced(by: duration)
            defer { sleepers.removeAll { $0.wake <= time } }
            return sleepers.filter { $0.wake <= time }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}

/// The times at which a view says what has changed.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct FlushTests {
    private let clock = HeldClock()

    /// A view that has said all there is at first.
    private func bench() async throws -> (ControllerBench, SliderController, UInt32) {
        let controller = SliderController()
        let bench = ControllerBench(clock: clock) { controller }
        for _ in 0..<3 {
            await turn()
            clock.advance(by: .milliseconds(33))
        }
        clock.advance(by: .milliseconds(34))
        return (bench, controller, try bench.node(.slider).id)
    }

    /// Lets so many turns of the main queue pass.
    private func turn(_ count: Int = 3) async {
        for _ in 0..<count {
            await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        }
    }

    @Test func `a label that changes a thousand times a second is shown thirty times a second`() async throws {
        let (bench, controller, _) = try await bench()
        let first = bench.updates.count
        controller.label.text = "0"
        try await bench.until(first + 1)
        #expect(bench.texts == ["0"])
        for number in 1...100 {
            controller.label.text = "\(number)"
            await turn(1)
        }
        // None of them was said, and one update is ordered for all.
        #expect(bench.updates.count == first + 1)
        await turn(30)
        clock.advance(by: .milliseconds(32))
        await turn()
        #expect(bench.updates.count == first + 1)
        clock.advance(by: .milliseconds(1))
        try await bench.until(first + 2)
        #expect(bench.texts == ["100"])
    }

    @Test func `an event is answered at once, with all that waits`() async throws {
        let (bench, controller, slider) = try await bench()
        controller.label.text = "first"
        try await bench.until(bench.updates.count + 1)
        controller.label.text = "second"
        await turn(30)
        let count = bench.updates.count
        let answer = try #require(bench.take(.node(slider, .value(.number(0.5)))))
        #expect(answer.set.flatMap(\.kind.texts) == ["second"])
        #expect(bench.updates.count == count + 1)
        clock.advance(by: .milliseconds(33))
        await turn()
        // There was nothing left to say.
        #expect(bench.updates.count == count + 1)
    }

    /// Makes the slider fade the picture out and then name it, as an animation does: in two steps.
    private func fade(_ controller: SliderController) {
        controller.slider.addAction(
            UIAction { [unowned controller] _ in
                controller.label.text = "fading"
                UIView.animate(withDuration: 0.2) { controller.picture.alpha = 0.25 }
            },
            for: .touchUpInside
        )
    }

    @Test func `an event whose code animates is acknowledged with the last of its steps`() async throws {
        let (bench, controller, slider) = try await bench()
        fade(controller)
        bench.take(.node(slider, .press))
        let count = bench.updates.count
        #expect(bench.take(.node(slider, .release)) == nil)
        // The first step is what moves. The text waits for the place that it needs.
        #expect(bench.updates.count == count + 1)
        #expect(bench.updates.last?.motion?.seconds == 0.2)
        #expect(bench.tree.inOrder.filter { $0.style.opacity == 0.25 }.count == 1)
        #expect(bench.texts == ["Alice"])
        while bench.updates.last?.acknowledged == nil {
            clock.advance(by: .milliseconds(33))
            await turn()
        }
        #expect(bench.updates.last?.acknowledged == 2)
        #expect(bench.updates.dropFirst(count).compactMap(\.acknowledged) == [2])
        #expect(bench.tree.inOrder.filter { $0.style.opacity == 0.25 }.count == 1)
        #expect(bench.texts == ["fading"])
    }

    /// A controller that animates before its view has appeared, and again behind its notification.
    private final class EarlyController: UIViewController, UNNotificationContentExtension {
        let label = UILabel()

        override func viewDidLoad() {
            super.viewDidLoad()
            label.translatesAutoresizingMaskIntoConstraints = false
            view.addSubview(label)
            NSLayoutConstraint.activate([
                label.topAnchor.constraint(equalTo: view.topAnchor, constant: 10),
                label.leadingAnchor.constraint(equalTo: view.leadingAnchor, constant: 16),
            ])
            UIView.animate(withDuration: 0.2) { self.label.alpha = 0.5 }
        }

        func didReceive(_ notification: UNNotification) {
            label.text = notification.request.content.title
            UIView.animate(withDuration: 0.2) { self.label.alpha = 1 }
        }
    }

    @Test func `the first scene is laid out, though code has animated before it`() throws {
        let bench = ControllerBench(clock: clock) { EarlyController() }
        let first = try #require(bench.updates.first)
        #expect(first.motion == nil)
        let label = try #require(first.set.first { $0.kind.texts == ["Alice"] })
        #expect(label.frame?.x == 16)
        #expect(label.frame?.y == 10)
        #expect(label.style.opacity == 0.5)
    }

    @Test func `an event lets go of an earlier one whose steps wait`() async throws {
        let (bench, controller, slider) = try await bench()
        fade(controller)
        let dim = UIAction { _ in UIView.animate(withDuration: 0.4) { controller.label.alpha = 0.5 } }
        controller.slider.addAction(dim, for: .touchUpInside)
        bench.take(.node(slider, .press))
        #expect(bench.take(.node(slider, .release)) == nil)
        bench.take(.node(slider, .press))
        let answers = bench.updates.compactMap(\.acknowledged)
        #expect(answers.contains(2))
        for _ in 0..<3 {
            clock.advance(by: .milliseconds(33))
            await turn()
        }
        #expect(bench.updates.compactMap(\.acknowledged).last == 3)
    }

    @Test func `after a pause a change is said with the next turn`() async throws {
        let (bench, controller, _) = try await bench()
        for number in 1...3 {
            clock.advance(by: .milliseconds(34))
            let count = bench.updates.count
            controller.label.text = "\(number)"
            try await bench.until(count + 1)
            #expect(bench.texts == ["\(number)"])
        }
    }

    @Test func `a request waits as a change does, and is not lost`() async throws {
        let (bench, controller, _) = try await bench()
        controller.label.text = "changed"
        try await bench.until(bench.updates.count + 1)
        let count = bench.updates.count
        controller.extensionContext?.dismissNotificationContentExtension()
        await turn(30)
        #expect(bench.updates.count == count)
        clock.advance(by: .milliseconds(33))
        try await bench.until(count + 1)
        #expect(bench.updates.last?.calls == [.dismiss])
    }
}

/// The files of pictures from drawing to drawing.
@MainActor
@Suite(.timeLimit(.minutes(10))) final class DrawnFilesTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func image(_ number: Int) throws -> UIImage {
        // The head of a PNG file of 8 × 8 points, and a byte of its own.
        let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        return try #require(UIImage(data: Data(head + [0, 0, 0, 8, 0, 0, 0, 8, 8, 6, 0, 0, 0, UInt8(number)])))
    }

    private func sources(_ bench: ControllerBench) -> [UInt32?] {
        bench.tree.inOrder.compactMap { node -> UInt32?? in
            if case .image(let image) = node.kind { .some(image.source) } else { nil }
        }
    }

    @Test func `a file that is shown keeps its number over drawings that draw nothing`() throws {
        let controller = SliderController()
        let bench = ControllerBench(scratch: folder.path) { controller }
        let slider = try bench.node(.slider).id
        controller.view.addSubview(UIImageView(image: try image(0)))
        bench.take(.node(slider, .press))
        #expect(sources(bench) == [1])
        // The title that is shown already: the controller changes nothing.
        for _ in 0..<3 { bench.show(title: "Alice") }
        // As many more as are kept without need, which are drawn before it.
        for number in 1...8 { controller.view.insertSubview(UIImageView(image: try image(number)), at: 0) }
        bench.take(.node(slider, .release))
        #expect(sources(bench) == [2, 3, 4, 5, 6, 7, 8, 9, 1])
        #expect(bench.updates.flatMap(\.files).map(\.number) == [1, 2, 3, 4, 5, 6, 7, 8, 9])
    }
}
