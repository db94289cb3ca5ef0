// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing
import UserNotificationCenter

@testable import DesktopPresenter

/// The sounds that a desktop plays for a daemon that does not.
struct PopupSoundTests {
    private static let href = "/v1/apps/com.example.chat/sounds/Ding%201.wav"

    private func desk(capabilities: Set<String> = [], hasPlayer: Bool = true) -> Desk {
        Desk(capabilities: capabilities, board: PopupBoard(language: .english, since: .told, hasPlayer: hasPlayer))
    }

    private func present(_ sound: JSON) -> JSON {
        ["banner": true, "sound": sound, "until": "2026-11-21T03:00:30.000Z"]
    }

    // MARK: Whose it is

    @Test func `with a player the desktop plays what its daemon does not, and says that it can`() {
        var desk = desk()
        desk.deliver(Told.notification(1, ["present": present(["critical": false, "href": .string(Self.href)])]))
        #expect(desk.sounds.map { $0?.target } == [Self.href])
        #expect(desk.popups.map { $0.hints["suppress-sound"] } == [.flag(true)])
        #expect(desk.popups.map { $0.hints["sound-name"] } == [nil])
        #expect(desk.states.map(\.playsSounds) == [true])
    }

    @Test func `a daemon that plays sounds plays it alone`() {
        var desk = desk(capabilities: ["sound"])
        desk.deliver(Told.notification(1, ["present": present(["critical": false])]))
        #expect(desk.sounds == [nil])
        #expect(desk.popups.map { $0.hints["sound-name"] } == [.text("message-new-instant")])
        #expect(desk.states.map(\.playsSounds) == [true])
    }

    @Test func `without a player and without a daemon nothing is said to be played`() {
        var silent = desk(hasPlayer: false)
        silent.deliver(Told.notification(1, ["present": present(["critical": false])]))
        #expect(silent.sounds == [nil])
        #expect(silent.states.map(\.playsSounds) == [false])
        var alone = desk()
        alone.board.takeDaemonGone()
        alone.run()
        #expect(alone.states.map(\.playsSounds) == [false])
    }

    @Test(
        arguments: [
            ([Told.focusedPage], false, [] as [PopupSound?]),
            ([], false, [.own]), ([], true, [nil]),
        ] as [([JSON], Bool, [PopupSound?])]
    )
    func `nothing is played where the sound is another surface's, or the notification has none`(
        others: [JSON],
        isMute: Bool,
        sounds: [PopupSound?]
    ) {
        var desk = desk()
        let own: JSONObject = [
            "kind": "desktop", "local": true, "visible": true, "focused": false, "banners": true, "sound": true,
        ]
        desk.board.take(surfaces: ["surfaces": .array(others + [.object(own)]), "own": .integer(Int64(others.count))])
        desk.deliver(Told.notification(1, ["present": present(isMute ? false : ["critical": false])]))
        #expect(desk.sounds == sounds)
    }

    @Test func `a sound that is owed is played with what takes the place, and what comes again is silent`() {
        var desk = desk()
        _ = desk.board.take(delivered: Told.notification(1, ["present": present(["critical": false])]), at: desk.now)
        desk.deliver(Told.notification(2))
        #expect(desk.popups.map(\.summary) == ["Title 2"])
        #expect(desk.sounds == [.own])
        desk.board.takeDaemonGone()
        desk.board.take(daemon: DaemonFacts())
        desk.run()
        #expect(desk.sounds == [.own, nil])
    }

    // MARK: What is read of it

    @Test(
        arguments: [
            (["critical": true, "volume": 0.25, "href": .string(href)], href, true, 0.25),
            (["critical": true, "volume": 7], nil, true, 1), (["critical": true, "volume": -1], nil, true, 0),
            (["critical": false, "volume": 0.25], nil, false, 1), ([:], nil, false, 1),
            (["href": "/etc/passwd"], nil, false, 1), (["href": "file:///v1/apps/a"], nil, false, 1),
            (["href": "/v1/apps/a b"], nil, false, 1), (["href": "/v1/apps/a?x"], nil, false, 1),
            (["href": .string("/v1/apps/" + String(repeating: "a", count: 1016))], nil, false, 1),
            (["href": 7], nil, false, 1),
        ] as [(JSONObject, String?, Bool, Double)]
    )
    func `a sound is a file of the API or the desktop's own, and a critical one has a loudness`(
        sound: JSONObject,
        target: String?,
        isCritical: Bool,
        volume: Double
    ) {
        let read = PopupSound(sound)
        #expect(read?.target == target)
        #expect(read?.isCritical == isCritical)
        #expect(read?.volume == volume)
    }

    // MARK: One at a time

    @Test func `what comes while a sound is played is left out, unless it alone is critical`() throws {
        let plain = try #require(PopupSound(["href": .string(Self.href)]))
        let critical = try #require(PopupSound(["critical": true, "volume": 0.5]))
        var turn = SoundTurn()
        #expect(turn.begin() == nil)
        #expect(turn.take(plain) == false)
        #expect(turn.take(.own) == false)
        #expect(turn.begin() == plain)
        #expect(turn.take(.own) == false && !turn.isOver)
        #expect(turn.take(critical) == true && turn.isOver)
        #expect(turn.take(critical) == false)
        turn.takeEnd()
        #expect(turn.begin() == critical)
        #expect(turn.take(critical) == false && !turn.isOver)
        turn.takeEnd()
        #expect(turn.begin() == nil)
        #expect(turn.take(plain) == false)
        #expect(turn.take(critical) == false)
        #expect(turn.begin() == critical)
    }

    // MARK: The programs

    @Test(
        arguments: [
            (.pwPlay, 1, ["--media-role=Notification", "/proc/7/fd/9"]),
            (.pwPlay, 0.5, ["--media-role=Notification", "--volume=0.5", "/proc/7/fd/9"]),
            (.paplay, 1, ["--property=media.role=event", "/proc/7/fd/9"]),
            (.paplay, 0.5, ["--property=media.role=event", "--volume=32768", "/proc/7/fd/9"]),
            (.canberra, 1, ["--file=/proc/7/fd/9"]), (.canberra, 0.5, ["--volume=-6.02", "--file=/proc/7/fd/9"]),
            (.canberra, 0, ["--volume=-60.0", "--file=/proc/7/fd/9"]),
        ] as [(SoundProgram, Double, [String])]
    )
    func `each program has its own word for the loudness`(program: SoundProgram, volume: Double, words: [String]) {
        #expect(program.arguments(playing: "/proc/7/fd/9", volume: volume) == words)
    }

    @Test func `the desktop's own sound is a WAV file of half a second`() {
        let bytes = OwnSound.bytes
        #expect(bytes.count == 44 + 22_050)
        #expect(bytes.prefix(8) == [0x52, 0x49, 0x46, 0x46, 0x46, 0x56, 0, 0])
        #expect(bytes[8..<16].elementsEqual("WAVEfmt ".utf8))
        #expect(bytes[40..<44].elementsEqual([0x22, 0x56, 0, 0]))
        let samples = stride(from: 44, to: bytes.count, by: 2).map { place in
            Int(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8))
        }
        #expect(samples.map(abs).max().map { (6_000..<14_000).contains($0) } == true)
        #expect(samples.suffix(100).allSatisfy { abs($0) < 100 })
    }
}
