// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import HostRuntime
import Keychain
import Logging
import SceneModel
import WorkerProtocol

/// Reads what the processes of views say, and takes itself what changes no view: log lines, questions, files and
/// output.
///
/// The loop's thread alone calls this.
final class ViewListener {
    /// A word that changes its view.
    enum News {
        case ready
        case scene(SceneUpdate)
        /// An update is held back, or a piece of one has come.
        case held
        /// The process closed its socket.
        case silence
        case violation(ViewConversation.Violation)
    }

    private let logger: Logger
    private let questions: ViewQuestions
    private let files: ViewFiles
    private var buffer = [UInt8](repeating: 0, count: Packet.maximumByteCount + 1)

    init(_ logger: Logger, questions: ViewQuestions, files: ViewFiles) {
        self.logger = logger
        self.questions = questions
        self.files = files
    }

    /// Takes at most sixteen packets, and no more after 64 KiB, so that no view keeps the loop to itself; false when
    /// none is left.
    @discardableResult
    func read(_ view: ViewProcess, now: Duration, _ take: (News) -> Void) -> Bool {
        var byteCount = 0
        for _ in 0..<16 where byteCount < 64 << 10 {
            guard view.channel.isOpen else { return false }
            let word = view.hear(through: &buffer, byteCount: &byteCount, now: now)
            if case .nothing = word { return false }
            if let news = news(in: word, of: view) { take(news) }
        }
        return true
    }

    /// Takes what lies in the socket, which holds some hundred packets at most.
    func readAll(_ view: ViewProcess, now: Duration, _ take: (News) -> Void) {
        for _ in 0..<32 where !read(view, now: now, take) { break }
    }

    /// Logs what the process has printed.
    func logOutput(of view: ViewProcess) { view.logOutput(through: &buffer, to: logger) }

    /// Logs the rest of what a process has printed that has ended.
    func logLastOutput(of view: ViewProcess) { view.logLastOutput(through: &buffer, to: logger) }

    private func news(in word: ViewProcess.Word, of view: ViewProcess) -> News? {
        switch word {
        case .nothing, .droppedLog: return nil
        case .closed: return .silence
        case .ready: return .ready
        case .scene(let update):
            files.serve(view)
            return .scene(update)
        case .later:
            files.serve(view)
            return .held
        case .violation(let violation): return .violation(violation)
        case .log(let log):
            logger.log(
                level: log.level.loggerLevel,
                "extension",
                metadata: ["worker.pid": "\(view.pid)", "worker.line": "\(log.message.asLogLine)"]
            )
        case .keychain(let call): questions.ask(call, of: view)
        case .call(let id, let call): questions.call(id, call, of: view)
        }
        return nil
    }
}
