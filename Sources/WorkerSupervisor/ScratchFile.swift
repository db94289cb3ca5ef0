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
    /// 0, or errno: EEXIST and ENOSPC where a file was to be made, ELOOP for a symbolic link, EXDEV for what leaves the folder or lies in storage, EINVAL for what is
    /// no regular file, ENOENT, ESRCH when the worker is gone or has no private scratch folder.
    let error: CInt
    /// Of everything in the folder.
    let usedByteCount: UInt64

    consuming func takeFile() -> Descriptor { file }
}

/// What is to be asked about a worker's private scratch folder.
struct ScratchQuestion {
    enum Verb {
        case take, put
    }

    let verb: Verb
    let serial: UInt64
    let name: String
    let answer: (consuming ScratchFile) -> Void
}

extension WorkerSupervisor {
    /// Takes a regular file out of a worker's private scratch folder, or with an empty name asks how full that is.
    ///
    /// The name is relative to the folder, at most 255 bytes. The answer comes exactly once, on the supervisor's actor,
    /// in the order of asking; ESRCH when the launcher is lost meanwhile.
    func takeScratch(
        _ name: String,
        of process: SandboxedProcess,
        answer: @escaping (consuming ScratchFile) -> Void
    ) {
        scratchQuestions.append(ScratchQuestion(verb: .take, serial: process.serial, name: name, answer: answer))
        askAboutScratch()
    }

    /// Makes a file in a worker's private scratch folder, for the host to write; the answer comes as above.
    func putScratch(
        _ name: String,
        of process: SandboxedProcess,
        answer: @escaping (consuming ScratchFile) -> Void
    ) {
        scratchQuestions.append(ScratchQuestion(verb: .put, serial: process.serial, name: name, answer: answer))
        askAboutScratch()
    }

    /// Questions at the launcher at once: with the orders, what its socket holds.
    ///
    /// The others wait here, at most one for each worker and each open request, and one for each file of a request
    /// that has ended.
    private static let questionLimit = 32

    private func askAboutScratch() {
        while scratchAnswers.count < Self.questionLimit, let question = scratchQuestions.popFirst() {
            let socket = launcher.socket.raw
            let sent =
                switch question.verb {
                case .take: unsafe launcher_send_take_scratch(socket, question.serial, question.name)
                case .put: unsafe launcher_send_put_scratch(socket, question.serial, question.name)
                }
            guard sent == 0 else {
                question.answer(ScratchFile(file: Descriptor(-1), error: -sent, usedByteCount: 0))
                continue
            }
            scratchAnswers.append(question.answer)
        }
    }

    func scratchAnswered(_ event: launcher_event) {
        let file = Descriptor(event.file)
        guard !scratchAnswers.isEmpty else { return }
        let answer = scratchAnswers.removeFirst()
        askAboutScratch()
        let error = event.descriptors_lost == 0 ? event.error : EMFILE
        answer(ScratchFile(file: file, error: error, usedByteCount: event.used_bytes))
    }

    func abandonScratchAnswers() {
        let abandoned = scratchAnswers + scratchQuestions.removeAll().map(\.answer)
        scratchAnswers = []
        for answer in abandoned { answer(ScratchFile(file: Descriptor(-1), error: ESRCH, usedByteCount: 0)) }
    }
}
