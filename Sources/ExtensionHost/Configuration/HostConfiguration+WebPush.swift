// SPDX-License-Identifier: Apache-2.0

import Ingress
import Yams

extension HostConfiguration {
    struct WebPush: Equatable {
        /// An address beside that of APNs.
        struct Listener: Equatable {
            var host: String
            var port: Int
            var security: HTTPIngress.Configuration.Security
            /// What is read again while the host runs: the configuration first, then certificate and key.
            var files: [String]
        }

        var origin: WebPushOrigin
        /// Nil: the requests come to the listener of APNs.
        var listener: Listener?
    }

    /// What is shown in place of messages that cannot be opened, by topic.
    var webPushAlerts: [String: WebPushAlert] {
        apps.reduce(into: [:]) { $0[$1.topic] = $1.webPushAlert ?? WebPushAlert(title: $1.topic) }
    }
}

extension HostConfiguration.WebPush.Listener {
    var ingress: HTTPIngress.Configuration {
        HTTPIngress.Configuration(host: host, port: port, security: security)
    }
}

// MARK: host.yaml

extension HostConfiguration {
    private static let webPushListenerKeys = ["host", "port", "plaintext", "certificate", "key"]

    /// Reads `listen.web-push`.
    static func webPush(_ node: Node, file: String) throws(CommandError) -> WebPush {
        let keys = ["public-origin"] + webPushListenerKeys
        let webPush = try YAMLMapping(node, file: file, name: "web-push", keys: keys)
        let text = try webPush.requiredString("public-origin")
        guard let origin = WebPushOrigin(text) else {
            throw webPush.error(
                "public-origin",
                "is \"\(text)\", which is no origin",
                hint: "write what senders reach, without a path: https://push.example.com"
            )
        }
        guard webPushListenerKeys.contains(where: { webPush.node($0) != nil }) else { return WebPush(origin: origin) }
        let security = try security(webPush)
        var files = [file]
        if case .tls(let certificate, let key) = security { files += [certificate, key] }
        return WebPush(
            origin: origin,
            listener: WebPush.Listener(
                host: try webPush.string("host") ?? "127.0.0.1",
                port: try webPush.integer("port", in: 0...65_535) ?? 8444,
                security: security,
                files: files
            )
        )
    }

    /// Web Push has to come in somewhere, and its subscriptions to be kept.
    func checkWebPush(_ listen: YAMLMapping) throws(CommandError) {
        guard let webPush else { return }
        guard webPush.listener != nil || apns != nil else {
            throw listen.error(
                "web-push",
                "has no address",
                hint: "give it \"port: 8444\", or listen for apns too, to share its address"
            )
        }
        guard stateFolder != nil else {
            throw listen.error(
                "web-push",
                "has no folder that keeps its subscriptions",
                hint: "add \"state: ./state\" to the file"
            )
        }
    }

    /// `web-push` of an app.
    static func webPushAlert(_ app: YAMLMapping, topic: String) throws(CommandError) -> WebPushAlert? {
        guard let node = app.node("web-push") else { return nil }
        let name = "web-push of \(app.name)"
        let webPush = try YAMLMapping(node, file: app.file, name: name, keys: ["title", "fallback"])
        var alert = WebPushAlert(title: try webPush.string("title") ?? topic)
        if let fallback = try webPush.string("fallback") { alert.body = fallback }
        return alert
    }
}
