// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// A message that a format must open, and the payload that the opener must make of it.
struct KnownAnswer {
    /// The message as the format's field carries it.
    let text: String
    /// The same content, sealed with a padding that the format refuses; nil for a format that has none, or whose
    /// padding anyone can change.
    let badlyPadded: String?
    private let alert: String
    private let isAuthenticated: Bool
    private let sender: String?

    /// Takes the JSON of `alert`, with members of `aps` behind it if there are any, and the id of the sender that the
    /// payload names, in hexadecimal digits.
    init(
        _ text: String,
        alert: String = #"{"title":"Door","body":"Front door opened"}"#,
        isAuthenticated: Bool = true,
        sender: String? = nil,
        badlyPadded: String? = nil
    ) {
        self.text = text
        self.alert = alert
        self.isAuthenticated = isAuthenticated
        self.sender = sender
        self.badlyPadded = badlyPadded
    }

    /// The payload that the opener makes of the push, byte for byte.
    func payload(of format: SealFormat) -> String {
        let name = sender.map { #""\#($0)""# } ?? "null"
        return #"{"aps":{"alert":\#(alert)},"encryption":{"format":"\#(format)","#
            + #""authenticated":\#(isAuthenticated),"sender":\#(name)}}"#
    }

    /// The push that carries `text` in the field of `format`.
    static func push(of text: String, _ format: SealFormat) -> String {
        let mark =
            switch format.name.field {
            case .encryptedContent, .ciphertext: ""
            case .encryptedData: #""encrypted":true,"#
            }
        let field = format.name.field.rawValue
        return #"{"aps":{"alert":"clear","mutable-content":1},\#(mark)"\#(field)":"\#(text)"}"#
    }
}
