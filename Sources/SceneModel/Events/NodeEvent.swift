// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
package import NotificationPayload

/// An event of one node.
package enum NodeEvent: Sendable, Equatable {
    /// A button was pressed, or a node with `tap` clicked; the place in the node, if there is one.
    case tap(at: ScenePoint?)
    /// A node with `hold` was pressed for half a second.
    case longPress(at: ScenePoint?)
    /// A control was touched, before its value changes.
    case press
    case release
    /// A field has the keyboard.
    case focus
    case blur
    /// The return key of a field.
    case submit
    /// The value that a control now has: a number, a flag, or a text, by its kind.
    case value(SceneValue)
    /// A film can be played; its length in seconds.
    case ready(Double)
    /// The page began to play, or stopped, by its own buttons or because it may not begin by itself.
    case playing
    case paused
    /// The place that a film has reached, in seconds; at most one a second.
    case time(Double)
    case ended
    /// A file that the page cannot play or draw.
    case failed
    /// The size that the page gave to a row or column that fills the box.
    case measured(SceneSize)

    package enum Name: String, Sendable, CaseIterable {
        case tap, longPress, press, release, focus, blur, submit, value, ready, playing, paused, time, ended, failed
        case measured
    }

    package var name: Name {
        switch self {
        case .tap: .tap
        case .longPress: .longPress
        case .press: .press
        case .release: .release
        case .focus: .focus
        case .blur: .blur
        case .submit: .submit
        case .value: .value
        case .ready: .ready
        case .playing: .playing
        case .paused: .paused
        case .time: .time
        case .ended: .ended
        case .failed: .failed
        case .measured: .measured
        }
    }

    func write(to object: inout JSONObject) {
        object["event"] = .string(name.rawValue)
        switch self {
        case .value(let value): object["value"] = value.json
        case .tap(let place), .longPress(let place): object["at"] = place?.json
        case .ready(let seconds), .time(let seconds): object["value"] = .double(seconds)
        case .measured(let size): object["value"] = size.json
        case .press, .release, .focus, .blur, .submit, .playing, .paused, .ended, .failed: break
        }
    }

    init(_ members: inout Members) throws(MemberFault) {
        let name: Name = try members.word("event")
        self =
            switch name {
            case .tap: .tap(at: try members.optionalPoint("at"))
            case .longPress: .longPress(at: try members.optionalPoint("at"))
            case .press: .press
            case .release: .release
            case .focus: .focus
            case .blur: .blur
            case .submit: .submit
            case .value: .value(try members.sceneValue("value"))
            case .ready: .ready(try members.number("value", SceneMedia.times))
            case .playing: .playing
            case .paused: .paused
            case .time: .time(try members.number("value", SceneMedia.times))
            case .ended: .ended
            case .failed: .failed
            case .measured: .measured(try members.size("value"))
            }
    }
}

/// The value of a control.
package enum SceneValue: Sendable, Equatable {
    case number(Double)
    case flag(Bool)
    case text(String)

    package var json: JSON {
        switch self {
        case .number(let number): .double(number)
        case .flag(let flag): .bool(flag)
        case .text(let text): .string(text)
        }
    }
}
