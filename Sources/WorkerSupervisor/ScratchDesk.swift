// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import Glibc
import HostRuntime

/// The launcher's answer about a worker's private scratch folder.
struct ScratchFile: ~Copyable {
    /// For reading, and no longer in the folder; or new, empty and for writing; -1 when none was named or there was an
    /// error.
    ///
    /// The worker may still write to it: copy it with read(2) and judge the copy.
    let file: Descriptor
    /// 0 or an errno: EEXIST and ENOSPC where a file was to be made, ELOOP for a symbolic link, EXDEV for what leaves
    /// the folder or lies in storage, EINVAL for what is no regular file, ENOENT, ESRCH when the worker is gone or has
    /// no private scratch folder.
    let error: CInt
    /// The bytes that everything in the folder takes.
    let usedByteCount: UInt64

    consuming func takeFile() -> Descriptor { file }
}

/// Asks the launcher about workers' private scratch folders, and hands its answers to whoever asked.
///
/// Every question is answered exactly once, on the supervisor's actor, in the order of asking; with ESRCH when the
/// launcher is lost meanwhile.
final class ScratchDesk {
    typealias Answer = (consuming ScratchFile) -> Void

    private struct Question {
        enum Verb {
            case take, put
        }

        let verb: Verb
        let serial: UInt64
        let name: String
        let answer: Answer
    }

    /// Questions at the launcher at once: with the orders, what its socket holds.
    ///
    /// The others wait here, at most one for each worker and each open request, one for each file of a request that has
    /// ended, and those of the calls that `RequestFiles` bounds.
    private static let questionLimit = 32

    private let launcher: Launcher
    private var questions = Backlog<Question>()
    /// The callers that wait for the launcher's answers, in the order of asking.
    private var answers: [Answer] = []
    /// The workers of which files are still wanted, by their serial numbers, each with how often.
    private var holds: [UInt64: Int] = [:]
    /// The workers that have ended, and whose folders the launcher keeps.
    private var ended: Set<UInt64> = []
    private var isLost = false

    init(_ launcher: Launcher) {
        self.launcher = launcher
    }

    /// Takes a regular file out of a worker's private scratch folder, or with an empty name asks how full that is.
    ///
    /// The name is relative to the folder, at most 255 bytes.
    func take(_ name: String, of process: SandboxedProcess, answer: @escaping Answer) {
        ask(Question(verb: .take, serial: process.serial, name: name, answer: answer))
    }

    /// Makes a file in a worker's private scratch folder, for the host to write.
    func put(_ name: String, of process: SandboxedProcess, answer: @escaping Answer) {
        ask(Question(verb: .put, serial: process.serial, name: name, answer: answer))
    }

    /// Has the launcher keep a worker's private folder, also behind the worker's end, as long as the result lives.
    func hold(_ process: SandboxedProcess) -> ScratchHold {
        holds[process.serial, default: 0] += 1
        return ScratchHold(process.serial, self)
    }

    fileprivate func letGo(_ serial: UInt64) {
        let count = holds[serial, default: 1] - 1
        holds[serial] = count == 0 ? nil : count
        forgetLeft()
    }

    /// A worker is gone, and all that it said is heard: its folder goes when no file of it is wanted any more.
    func workerEnded(_ serial: UInt64) {
        ended.insert(serial)
        forgetLeft()
    }

    /// A socket that is full takes the word with the next one; until then the launcher keeps a folder for longer.
    private func forgetLeft() {
        for serial in ended where holds[serial] == nil {
            guard launcher_send_forget_scratch(launcher.socket.raw, serial) == 0 else { return }
            ended.remove(serial)
        }
    }

    /// Hands the launcher's next answer to who waits for it; takes the event's descriptors.
    func answered(_ event: launcher_event) {
        let file = Descriptor(event.file)
        guard !answers.isEmpty else { return }
        let answer = answers.removeFirst()
        askNext()
        let error = event.descriptors_lost == 0 ? event.error : EMFILE
        answer(ScratchFile(file: file, error: error, usedByteCount: event.used_bytes))
    }

    /// The launcher is lost.
    func abandon() {
        isLost = true
        let abandoned = answers + questions.removeAll().map(\.answer)
        answers = []
        for answer in abandoned { answer(.failed(ESRCH)) }
        ended = []
    }

    /// Nobody waits for an answer.
    var isIdle: Bool { questions.isEmpty && answers.isEmpty }

    private func ask(_ question: Question) {
        guard !isLost else { return question.answer(.failed(ESRCH)) }
        questions.append(question)
        askNext()
    }

    private func askNext() {
        while answers.count < Self.questionLimit, let question = questions.popFirst() {
            let socket = launcher.socket.raw
            let sent =
                switch question.verb {
                case .take: unsafe launcher_send_take_scratch(socket, question.serial, question.name)
                case .put: unsafe launcher_send_put_scratch(socket, question.serial, question.name)
                }
            guard sent == 0 else {
                question.answer(.failed(-sent))
                continue
            }
            answers.append(question.answer)
        }
    }
}

/// The wish for files of a worker's private scratch folder, which ends with this object.
final class ScratchHold {
    private let serial: UInt64
    private let desk: ScratchDesk

    fileprivate init(_ serial: UInt64, _ desk: ScratchDesk) {
        self.serial = serial
        self.desk = desk
    }

    deinit {
        desk.letGo(serial)
    }
}

extension ScratchFile {
    fileprivate static func failed(_ error: CInt) -> ScratchFile {
        ScratchFile(file: Descriptor(-1), error: error, usedByteCount: 0)
    }
}
