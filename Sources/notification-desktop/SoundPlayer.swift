// SPDX-License-Identifier: Apache-2.0

import CenterAsking
import DesktopPresenter
import Locking

/// The program of the desktop that plays sounds, for daemons that do not.
///
/// The program gets a path of the agent's memory, and never one that a sender or an app has named.
actor SoundPlayer {
    /// The longest time of a sound; what is longer ends then.
    private static let patience = Duration.seconds(30)

    nonisolated let program: SoundProgram
    private let path: String
    private let client: CenterClient
    private let clock: any Clock<Duration>
    private let work = Signal()
    private var turn = SoundTurn()
    private var running: RunningProgram?

    /// Finds the first program that the desktop has; `nil` means that it has none.
    init?(_ client: CenterClient, _ clock: any Clock<Duration> = ContinuousClock()) {
        let found = SoundProgram.allCases.lazy.compactMap { program in
            RunningProgram.path(of: program.rawValue).map { (program, $0) }
        }
        guard let (program, path) = found.first else { return nil }
        (self.program, self.path, self.client, self.clock) = (program, path, client, clock)
    }

    /// Plays a sound when it is its turn.
    func take(_ sound: PopupSound) {
        if turn.take(sound) { running?.kill() }
        work.raise()
    }

    /// Plays what has its turn, until it is cancelled, which ends the sound.
    func run() async {
        while !Task.isCancelled {
            await work.wait()
            while !Task.isCancelled, let sound = turn.begin() {
                await play(sound)
                turn.takeEnd()
            }
        }
    }

    /// Plays a file of the app's; one that cannot be had, or that the program cannot read, is the desktop's own sound.
    private func play(_ sound: PopupSound) async {
        if let target = sound.target, let bytes = try? await client.file(target, byteLimit: PopupSound.byteLimit),
            await play(bytes, sound.volume)
        {
            return
        }
        _ = await play(OwnSound.bytes, sound.volume)
    }

    /// Returns false if the program could not play the bytes; an end before theirs is no fault of theirs.
    private func play(_ bytes: [UInt8], _ volume: Double) async -> Bool {
        guard !turn.isOver, !Task.isCancelled else { return true }
        guard let file = MemoryFile("sound", bytes),
            let running = try? RunningProgram([path] + program.arguments(playing: file.path, volume: volume))
        else { return false }
        self.running = running
        let end = await running.wait(atMost: Self.patience, clock)
        self.running = nil
        running.kill()
        return withExtendedLifetime(file) { [.exited(0), .signalled, .runs].contains(end) }
    }
}
