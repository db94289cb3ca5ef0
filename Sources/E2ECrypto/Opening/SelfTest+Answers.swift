// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

// Known answers.
extension SelfTest {
    struct Answer {
        let format: SealFormat
        let text: String
        let payload: String
        /// The same, sealed with a padding that the format refuses; nil for a format that has none, or whose padding
        /// anyone can change.
        let badlyPadded: String?

        init(
            _ format: SealFormat,
            _ text: String,
            _ content: String = door,
            sender: String? = nil,
            badlyPadded: String? = nil
        ) {
            self.format = format
            self.text = text
            self.badlyPadded = badlyPadded
            let isAuthenticated =
                ![.sealedBox, .barkGCM, .barkCBC].contains(format) && (format != .v1 || sender != nil)
            let name = sender.map { #""\#($0)""# } ?? "null"
            payload =
                #"{"aps":{"alert":\#(content)},"encryption":{"format":"\#(format)","#
                + #""authenticated":\#(isAuthenticated),"sender":\#(name)}}"#
        }

        /// The push that carries `text` where its format is looked for.
        func push(_ text: String) -> String {
            let mark =
                switch format.name.field {
                case .encryptedContent, .ciphertext: ""
                case .encryptedData: #""encrypted":true,"#
                }
            let field = format.name.field.rawValue
            return #"{"aps":{"alert":"clear","mutable-content":1},\#(mark)"\#(field)":"\#(text)"}"#
        }
    }

    private static let door = #"{"title":"Door","body":"Front door opened"}"#

    static let answers = [
        Answer(.v1, base, badlyPadded: badlyPaddedBase),
        Answer(.v1, psk, sender: "569e210ce4742c83"),
        Answer(.sealedBox, sealedBox),
        Answer(.box, box, sender: "569e210ce4742c83"),
        Answer(
            .webPush,
            webPush,
            #"{"body":"When I grow up, I want to be a watermelon"}"#,
            badlyPadded: badlyPaddedWebPush
        ),
        Answer(.homeAssistant, homeAssistant),
        Answer(.barkGCM, barkGCM),
        Answer(.barkCBC, barkCBC, #"{"body":"test"},"sound":"birdsong""#),
    ]

    static let base = """
        v1.AQCNlv7NEmhMnewtZC-\
        rhpAyczo7vLU8Db41lKgfG4HVVU5k2PlNd5cCsH4rWa_AmL3DhTIDDlpXC2ZDhh9nPc1ghPVMt1NUJeaj3F0fxj3uAToIj-qD9Rk\
        276rMNj1bJMP8yq2TxSuoTQiX1K37-BkXG4u0j-\
        gypkg537IwKapkI2A17QdWbNwV2Y9eXyWkumMmiyrrcbnffFQadiCB84burm4_KzKizhZMjwHlEj9D0vZyE8ITC6OYTpiNlX4eoN\
        uF5ACq6nZq5dCPjZ6lyhXmIxdI7CW9sdjGBqQNM5dcOC_nRZxmnBtWFB35QxLols55TlxLg04MBoyG8SFFhxnJsc9Q4NHEGi9-\
        OGoYeFSTt7KtYHWg75kc8af1bZwbaNSsBZfxoPM_TFQ90l9MYf-p95CJmORK5-w
        """

    private static let psk = """
        v1.AQGNlv7NEmhMnVaeIQzkdCyD7C1kL6uGkDJzOju8tTwNvjWUqB8bgdVVTmTY-U13lwLOPOnboMcP8UXzbQB8d3gngzp8-\
        vCB6GW5QIjq10NO_yu2XVNStDfVjLRDjxhH4qMCn_g5y3CEW1gw2VFDe66etQxtssoJQpeTxs9yZTpcsqJkFCLMI81hGXnxqKDxJ\
        Tpi2nn1c3gieJVvEaMgBHDa8kwauuD8q7hWnduXAO52iksugjWGZDNIXSUHmjotemrRyL7BRffAdDZ8FQ6VP-\
        W2x1M14rLVuxUhogJhVB_3StntL8UYmBlbXd_2dEu9fo4whp32VOpguoIKNITv737F0K4Se3pos45j2N9O3VYJH1ynsxK9LsNZpo\
        _i02yEbGzPbJSNh3Pyo0on6kZpqn2kLEyCH51_kl3UVrWSkCw8fg
        """

    private static let sealedBox = """
        7C1kL6uGkDJzOju8tTwNvjWUqB8bgdVVTmTY+U13lwKyHwjOqjt3Xu/E+7h+ibDPeoli65pVuQQvmnfriS6KwZcEObO/B+VZNWmp\
        v5vBvnsW2jDnv+B+js3cdA==
        """

    private static let box = """
        box.Vp4hDOR0LIMAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhetB-\
        eC6uqNylFvgMDootayjEVzbvgmcSqwCNtq57GOYEi6ICTbcsUfuR2YVnvi7EMGmaRzRrl9y-3Aqw
        """

    /// RFC 8291, Appendix A.
    private static let webPush = """
        wp.DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr\
        u3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
        """

    private static let homeAssistant = """
        AAECAwQFBgcICQoLDA0ODxAREhMUFRYXEiZ3yDuSTyJt/RDyzZLItBH+//uyzfNTWhSWFjXWRUw1rNIudiC0EsHWZIpQYvdxRxQnfJWaa4yKYig=
        """

    private static let barkGCM = "6tYbvXgiN6R6tFfiUkzAow6P/j++zuHUoRBbm5rEBID6uvXvLBrZywZ3GtTjGXoxuU253vDtG+059sY="
    /// The example of Bark's documentation.
    private static let barkCBC = "d3QhjQjP5majvNt5CjsvFWwqqj2gKl96RFj5OO+u6ynTt7lkyigDYNA3abnnCLpr"

    /// The last byte of the padding is not zero.
    private static let badlyPaddedBase = String(base.dropLast(22)) + "bzILT-8KtkqT4GD_WqnQ-4"
    /// The padding is not zero.
    private static let badlyPaddedWebPush =
        String(webPush.dropLast(77))
        + "e3c9cFr7_NBuel-EWqAcTv2frsaIXUIuj4XcSlfr0RPvNHjczBWDfUkPvrH-uYVfnRzeclGKe8YppCKzLJg"
}
