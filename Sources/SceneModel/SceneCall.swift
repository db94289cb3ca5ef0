// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
package import NotificationPayload

/// A request of a view to whoever shows it.
///
/// Source: Apple, "NSExtensionContext"; "UNNotificationContentExtension".
package enum SceneCall: Sendable, Equatable {
    /// `performNotificationDefaultAction()`: as if a person had clicked the notification.
    case defaultAction
    /// `dismissNotificationContentExtension()`: the view goes, the notification stays.
    case dismiss
    case mediaStarted
    case mediaPaused
    /// The decision on the response of that number.
    case option(ResponseOption, response: UInt64)

    /// `UNNotificationContentExtensionResponseOption`.
    package enum ResponseOption: String, Sendable, CaseIterable {
        case doNotDismiss, dismiss, dismissAndForwardAction
    }

    private enum Name: String, CaseIterable {
        case defaultAction, dismiss, mediaStarted, mediaPaused
    }

    /// True if the view ends with the call.
    package var closesView: Bool {
        switch self {
        case .dismiss, .defaultAction, .option(.dismiss, _), .option(.dismissAndForwardAction, _): true
        case .mediaStarted, .mediaPaused, .option(.doNotDismiss, _): false
        }
    }

    /// The word by which people call it: the call, or the option.
    package var name: String {
        switch self {
        case .defaultAction: Name.defaultAction.rawValue
        case .dismiss: Name.dismiss.rawValue
        case .mediaStarted: Name.mediaStarted.rawValue
        case .mediaPaused: Name.mediaPaused.rawValue
        case .option(let option, _): option.rawValue
        }
    }

    var json: JSON {
        switch self {
        case .defaultAction: ["call": .string(Name.defaultAction.rawValue)]
        case .dismiss: ["call": .string(Name.dismiss.rawValue)]
        case .mediaStarted: ["call": .string(Name.mediaStarted.rawValue)]
        case .mediaPaused: ["call": .string(Name.mediaPaused.rawValue)]
        case .option(let option, let response):
            ["option": .string(option.rawValue), "response": .integer(Int64(clamping: response))]
        }
    }

    init(_ members: inout Members) throws(MemberFault) {
        let option: ResponseOption? = try members.optionalWord("option")
        if let option {
            self = .option(option, response: UInt64(try members.integer("response", 0...Int64.max)))
            return
        }
        let name: Name = try members.word("call")
        self =
            switch name {
            case .defaultAction: .defaultAction
            case .dismiss: .dismiss
            case .mediaStarted: .mediaStarted
            case .mediaPaused: .mediaPaused
            }
    }
}

/// The button with which a person plays and pauses what the view plays.
package struct SceneMediaButton: Sendable, Equatable {
    /// `UNNotificationContentExtensionMediaPlayPauseButtonType`.
    package enum Kind: String, Sendable, CaseIterable {
        case none, `default`, overlay
    }

    package var kind: Kind
    /// In the box; an overlay without a size stands in its middle.
    package var frame: SceneFrame
    package var tint: SceneColor?

    package init(kind: Kind, frame: SceneFrame, tint: SceneColor? = nil) {
        self.kind = kind
        self.frame = frame
        self.tint = tint
    }

    package var json: JSON {
        var object: JSONObject = ["type": .string(kind.rawValue), "f": frame.json]
        object["tint"] = tint?.json
        return .object(object)
    }

    static func optional(_ members: inout Members) throws(MemberFault) -> SceneMediaButton? {
        guard var inner = try members.optionalMembers("mediaButton") else { return nil }
        let button = SceneMediaButton(
            kind: try inner.word("type"),
            frame: try inner.optionalFrame() ?? SceneFrame(0, 0, 0, 0),
            tint: try inner.optionalColor("tint")
        )
        try inner.end()
        return button
    }
}
