// SPDX-License-Identifier: Apache-2.0

/// The behaviour that the payload's key `behave` asks for; without the key the content comes back with the title
/// "handled".
enum Behavior: String {
    // The process ends with the request open.
    /// exit(3).
    case exit
    /// abort(): SIGABRT.
    case abort
    /// SIGKILL, as from outside.
    case kill
    /// A Swift trap.
    case trap
    /// Takes memory, 1 MB at a time, until it is stopped.
    case memory

    // Nothing comes.
    /// Blocks `didReceive` for ever; silent at the last call.
    case hang
    /// Returns from `didReceive` and keeps the handler; silent at the last call.
    case silent
    /// The same, and logs "at work" before.
    case tell
    /// Burns a core for ever.
    case spin

    // Something else comes.
    /// Completes from the last call.
    case late
    /// Completes twice, with "first" and then "second".
    case twice
    /// Completes with a content without any text.
    case empty
    /// Completes with a content that fits no packet.
    case huge
    /// Completes, then ends the process with status 0.
    case exitAfter
    /// Completes from the main queue; the title says whether that is the main thread.
    case mainQueue
    /// Completes from a `Task` on the main actor.
    case mainActor
    /// Completes with two files: a picture of its `tmp` and its own Info.plist as a picture.
    case attach
    /// Completes with the files that it was given; the body says identifier, type, size and FNV-1a of each.
    case digest
    /// The same, after it has written something else into them.
    case spoil
    /// Completes without the files that it was given.
    case dropFiles
    /// Completes with the process identifier as it sees it.
    case report
    /// Completes after it asked the notification centre twice.
    case centre
    /// Removes everything, adds a notification of its own, completes and exits, and waits for no answer.
    case centreAndExit
    /// Adds a notification of its own with a picture, and completes with what came of it.
    case centreWithFile
    /// Completes when as many requests of the app have come to this as its `count` says, in whatever processes.
    case meet
    /// Completes after its `milliseconds`.
    case wait
    /// Counts in memory, UserDefaults, its keychain and its home, and completes with the four counts.
    case remember

    // What no SDK sends.
    /// One packet of text where a message belongs.
    case garbage
    /// Two contents for one request, past the SDK, which sends no second one.
    case twiceRaw
    /// A content for an id that was never given.
    case wrongID
    /// `ready` a second time.
    case readyAgain
    /// Log messages without end.
    case flood
}
