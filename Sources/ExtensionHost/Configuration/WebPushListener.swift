// SPDX-License-Identifier: Apache-2.0

import Ingress

/// The Web Push server of the host: its origin, and its own listener, if it has one.
struct WebPush: Equatable {
    /// An address beside that of APNs.
    struct Listener: Equatable {
        var host: String
        var port: Int
        var security: HTTPConfiguration.Security
        /// The files that are read again while the host runs: the configuration first, then certificate and key.
        var files: [String]
    }

    var origin: WebPushOrigin
    /// `nil` means that the requests come to the listener of APNs.
    var listener: Listener?
}

extension WebPush.Listener {
    var ingress: HTTPConfiguration {
        HTTPConfiguration(host: host, port: port, security: security)
    }
}

/// `listen.web-push` of host.yaml.
struct WebPushKeys: ConfigurationMapping {
    private var origin: WebPushOrigin?
    private var host = "127.0.0.1"
    private var port = 8444
    private var isPlaintext = false
    private var certificate: String?
    private var key: String?
    private(set) var listener: WebPush.Listener?

    var webPush: WebPush? { origin.map { WebPush(origin: $0, listener: listener) } }

    static var rows: [ConfigurationRow<Self>] {
        ConfigurationRow(
            "public-origin",
            originType,
            \.origin,
            "What senders reach, and what their VAPID tokens name.",
            required: true,
            example: "https://push.example.com"
        )
        ConfigurationRow(
            "host",
            .text,
            \.host,
            "The address of a listener for Web Push alone.",
            example: "0.0.0.0"
        )
        ConfigurationRow(
            "port",
            .integer(0...65_535),
            \.port,
            "The port of a listener for Web Push alone, which there is with `port` or `certificate`.",
            example: "9444"
        )
        ConfigurationRow("plaintext", .flag, \.isPlaintext, "Whether that listener does without TLS.")
        ConfigurationRow(
            "certificate",
            .path,
            \.certificate,
            "The certificate chain of that listener, in PEM.",
            example: "tls/server.pem",
            reload: true
        )
        ConfigurationRow(
            "key",
            .path,
            \.key,
            "The private key of that certificate, in PEM.",
            example: "tls/server.key",
            reload: true
        )
    }

    mutating func judge(_ webPush: ConfigurationSection<Self>) throws(ConfigurationFaults) {
        let own: [PartialKeyPath<Self>] = [\.host, \.port, \.isPlaintext, \.certificate, \.key]
        guard own.contains(where: webPush.has) else { return }
        let written = ListenerSecurity(isPlaintext: isPlaintext, certificate: certificate, key: key)
        guard let security = written.security else { throw webPush.place(of: \.isPlaintext).securityFault }
        let files = [webPush.file] + written.files
        listener = WebPush.Listener(host: host, port: port, security: security, files: files)
    }
}

extension WebPushKeys {
    private static var originType: ConfigurationType<WebPushOrigin> {
        ConfigurationType<String>.text.map("origin", text: \.description) { text, place throws(ConfigurationFaults) in
            guard let origin = WebPushOrigin(text) else {
                throw place.fault(
                    "is \"\(text)\", which is no origin",
                    hint: "write what senders reach, without a path: https://push.example.com"
                )
            }
            return origin
        }
    }
}

/// `web-push` of an app: what is shown for a message that cannot be opened.
struct WebPushWords: ConfigurationMapping {
    var title: String?
    var fallback: String?

    static var rows: [ConfigurationRow<Self>] {
        ConfigurationRow(
            "title",
            .text,
            \.title,
            "The title that is shown for a message that cannot be opened.",
            standard: "the topic",
            example: "Chat"
        )
        ConfigurationRow(
            "fallback",
            .text,
            \.fallback,
            "The text that is shown for a message that cannot be opened.",
            standard: "`\(WebPushAlert(title: "").body)`",
            example: "Something came"
        )
    }

    func alert(topic: String) -> WebPushAlert {
        var alert = WebPushAlert(title: title ?? topic)
        if let fallback { alert.body = fallback }
        return alert
    }
}
