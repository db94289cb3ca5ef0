// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import SceneModel
import WorkerProtocol

extension ViewStep {
    /// The next step of an author whose scene does not take the word of this one.
    func advice(on fault: EventFault, of word: ViewWord, in scene: SceneTree) -> String {
        switch fault {
        case .unknownNode: return "it was there a moment ago: work what the scene shows now"
        case .inactive: return "a person cannot work it now: take a step first that shows or enables it"
        case .notOfKind:
            if case .media = act { return "nothing that the scene shows has a button to play it" }
            return "--tap is for what is pressed, and --set for what has a value"
        case .badValue: break
        }
        switch word {
        case .event(.node(let id, _)): return scene[id]?.kind.possibleValues ?? "work what the scene shows now"
        case .event(.response):
            return "an action has 1 to \(CenterNames.identifierByteCounts.upperBound) bytes, a text "
                + "\(SceneLimits.responseTextByteCount) at most"
        case .event, .notification: return "a notification fits one packet of 64 KiB: send less of it"
        }
    }
}

extension SceneKind {
    /// The values that the control can have, as a clause.
    fileprivate var possibleValues: String {
        switch self {
        case .slider(let range), .stepper(let range):
            let step = range.step > 0 ? " in steps of \(Self.text(of: range.step))" : ""
            return "it has \(Self.text(of: range.minimum)) to \(Self.text(of: range.maximum))\(step)"
        case .switch: return "it is on or off"
        case .segments(let segments): return "it has the titles that are printed, or 0 to \(segments.titles.count - 1)"
        case .field, .editor: return "it has a text without control characters, as far as its bound goes"
        case .date: return "it has a moment in milliseconds since 1970, inside the bounds that the app gave it"
        case .view, .text, .image, .button, .progress, .spinner, .media, .scroll, .row, .column:
            return "it has no value"
        }
    }

    /// A number without a fraction that is none.
    private static func text(of number: Double) -> String {
        Int64(exactly: number).map { String($0) } ?? "\(number)"
    }
}
