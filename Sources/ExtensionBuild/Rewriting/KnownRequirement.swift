// SPDX-License-Identifier: Apache-2.0

/// A requirement of one of Apple's protocols that a class may leave out.
///
/// Swift asks the class that names the protocol once and for all, Objective-C asks the object. Where a subclass alone
/// has the function, the program has to be told.
struct KnownRequirement {
    let protocolName: String
    /// The function as Swift writes it, or the property's name.
    let title: String
    var isAsync = false
    /// The protocol that a class says it has where the caller asks for it; nil where nobody asks.
    var marker: String?

    var isProperty: Bool { !title.contains("(") }

    private static let contentExtension = "UNNotificationContentExtension"

    /// Source: Apple, "UNNotificationContentExtension" and the pages of the delegates.
    static let all: [KnownRequirement] =
        [
            .init(
                protocolName: contentExtension,
                title: "didReceive(_:completionHandler:)",
                marker: "ContentExtensionMembers.Response"
            ),
            .init(
                protocolName: contentExtension,
                title: "didReceive(_:)",
                isAsync: true,
                marker: "ContentExtensionMembers.AsyncResponse"
            ),
            .init(
                protocolName: contentExtension,
                title: "mediaPlayPauseButtonType",
                marker: "ContentExtensionMembers.ButtonType"
            ),
            .init(
                protocolName: contentExtension,
                title: "mediaPlayPauseButtonFrame",
                marker: "ContentExtensionMembers.ButtonFrame"
            ),
            .init(
                protocolName: contentExtension,
                title: "mediaPlayPauseButtonTintColor",
                marker: "ContentExtensionMembers.ButtonTintColor"
            ),
            .init(protocolName: contentExtension, title: "mediaPlay()", marker: "ContentExtensionMembers.Play"),
            .init(protocolName: contentExtension, title: "mediaPause()", marker: "ContentExtensionMembers.Pause"),
        ] + delegates.flatMap { name, titles in titles.map { KnownRequirement(protocolName: name, title: $0) } }

    private static let delegates: [(String, [String])] = [
        (
            "UITextFieldDelegate",
            [
                "textFieldShouldBeginEditing(_:)", "textFieldDidBeginEditing(_:)", "textFieldShouldEndEditing(_:)",
                "textFieldDidEndEditing(_:)", "textFieldDidEndEditing(_:reason:)",
                "textField(_:shouldChangeCharactersIn:replacementString:)", "textFieldDidChangeSelection(_:)",
                "textFieldShouldClear(_:)", "textFieldShouldReturn(_:)",
            ]
        ),
        (
            "UITextViewDelegate",
            [
                "textViewShouldBeginEditing(_:)", "textViewDidBeginEditing(_:)", "textViewDidEndEditing(_:)",
                "textView(_:shouldChangeTextIn:replacementText:)", "textViewDidChange(_:)",
            ]
        ),
        (
            "UIScrollViewDelegate",
            [
                "scrollViewDidScroll(_:)", "scrollViewDidEndScrollingAnimation(_:)", "scrollViewWillBeginDragging(_:)",
                "scrollViewDidEndDragging(_:willDecelerate:)", "scrollViewDidEndDecelerating(_:)",
            ]
        ),
        (
            "UIGestureRecognizerDelegate",
            [
                "gestureRecognizerShouldBegin(_:)", "gestureRecognizer(_:shouldReceive:)",
                "gestureRecognizer(_:shouldRecognizeSimultaneouslyWith:)",
            ]
        ),
    ]
}
