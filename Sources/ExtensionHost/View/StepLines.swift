// SPDX-License-Identifier: Apache-2.0

import ExtensionBuild
import Foundation
import NotificationPayload
import SceneModel

/// Steps that a program hands over while the view is open: a JSON object a line.
///
/// One line is read at a time, on a thread of its own, so that what waits stays in the pipe.
final class StepLines: Sendable {
    /// The longest line, which holds a notification's payload with room to spare.
    static let byteCount = 1 << 20

    private let descriptor: Int32
    private let turn = DispatchSemaphore(value: 0)

    /// Opens a file, or standard input as "-".
    init(_ path: String) throws(CommandError) {
        descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandError(
                "\"\(path)\" is not readable: \(String(cString: strerror(errno)))",
                hint: "name a file with a step as JSON a line, or \"-\" for standard input"
            )
        }
    }

    deinit {
        if descriptor != STDIN_FILENO { close(descriptor) }
    }

    /// Has the next step read.
    func next() { turn.signal() }

    /// Calls a function with each step once `next()` asks for it, with what is wrong with a line, and with `nil` at the
    /// end.
    func read(_ take: @escaping @Sendable (Result<ViewStep, CommandError>?) -> Void) {
        Thread.detachNewThread { [self] in
            var reader = LineReader(descriptor)
            while true {
                turn.wait()
                guard let line = reader.next() else { return take(nil) }
                take(Result { () throws(CommandError) in try ViewStep(line: try line.get()) })
            }
        }
    }
}

/// The lines of a file or a pipe, of which empty ones are passed over.
private struct LineReader {
    private let descriptor: Int32
    private var rest: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Returns the next line, or the error of one beyond its bound, all of which is read; `nil` at the end.
    mutating func next() -> Result<[UInt8], CommandError>? {
        var isTooLong = false
        // The bytes in which no line ends.
        var seenCount = 0
        while true {
            let end = rest[seenCount...].firstIndex(of: UInt8(ascii: "\n"))
            isTooLong = isTooLong || (end ?? rest.count) > StepLines.byteCount
            if let end {
                let line = Array(rest[..<end])
                rest.removeSubrange(...end)
                seenCount = 0
                if isTooLong { return .failure(CommandError("a step is longer than \(StepLines.byteCount) bytes")) }
                if !line.isEmpty { return .success(line) }
                continue
            }
            if isTooLong { rest = [] }
            seenCount = rest.count
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                if isTooLong { return .failure(CommandError("a step is longer than \(StepLines.byteCount) bytes")) }
                defer { rest = [] }
                return rest.isEmpty ? nil : .success(rest)
            }
            rest += buffer[..<count]
        }
    }
}

extension ViewStep {
    /// A step as JSON: `{"tap":NAME}`, `{"set":NAME,"value":VALUE}`, `{"respond":ACTION,"text":TEXT}`,
    /// `{"media":"play"}` or `{"show":PAYLOAD}`; the text alone may be absent.
    init(line: [UInt8]) throws(CommandError) {
        let object: JSONObject
        do { object = try JSONObject(parsing: line.span, depthLimit: Payload.depthLimit + 1) } catch {
            throw CommandError("a step is no JSON object: \(error)", hint: Self.forms)
        }
        func text(_ key: String) -> String? { object[key]?.string }
        let act: Act?
        let known: Set<String>
        if let name = text("tap") {
            (act, known) = (.tap(name), ["tap"])
        } else if let name = text("set") {
            (act, known) = (object["value"].flatMap(Self.given).map { .give(name, $0) }, ["set", "value"])
        } else if let action = text("respond"), !action.isEmpty {
            (act, known) = (.respond(action, text("text")), ["respond", "text"])
        } else if let press = text("media").flatMap(ViewEvent.MediaPress.init(rawValue:)) {
            (act, known) = (.media(press), ["media"])
        } else if let payload = object["show"]?.object, payload["aps"]?.object != nil {
            (act, known) = (.show(Payload(payload)), ["show"])
        } else {
            (act, known) = (nil, [])
        }
        guard let act, object.members.allSatisfy({ known.contains($0.key) }) else {
            throw CommandError("a line is none of the steps", hint: Self.forms)
        }
        self.init(act)
    }

    private static let forms =
        #"write {"tap":NAME}, {"set":NAME,"value":VALUE}, {"respond":ACTION}, {"media":"play"} or {"show":PAYLOAD}"#

    private static func given(_ value: JSON) -> SceneValue? {
        if let text = value.string { return .text(text) }
        if let flag = value.bool { return .flag(flag) }
        return value.double.map(SceneValue.number)
    }
}
