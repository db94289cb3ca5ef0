// SPDX-License-Identifier: Apache-2.0

import Ingress

/// `listen` of host.yaml: the ways in.
struct ListenConfiguration: ConfigurationMapping {
    var apns: APNsListener?
    var webPush: WebPushKeys?
    var lines: LineIngress?

    static var rows: [ConfigurationRow<Self>] {
        ConfigurationRow(
            "apns",
            .mapping(),
            \.apns,
            "A listener for the provider API of APNs, over HTTP/2 and HTTP/1.1.",
            standard: "off"
        )
        ConfigurationRow(
            "web-push",
            .mapping(),
            \.webPush,
            "The host as a Web Push server, on the listener of APNs or, with `port` or `certificate`, on one of its own; "
                + "it needs `state`.",
            standard: "off"
        )
        ConfigurationRow("ndjson", .mapping(), \.lines, "Pushes as lines of JSON.", standard: "off")
    }

    /// Web Push has to come in somewhere.
    mutating func judge(_ listen: ConfigurationSection<Self>) throws(ConfigurationFaults) {
        guard let webPush, webPush.listener == nil, apns == nil else { return }
        throw listen.fault(
            \.webPush,
            "has no address",
            hint: "give it \"port: 8444\", or listen for apns too, to share its address"
        )
    }
}

extension ConfigurationSection<ListenConfiguration> {
    /// Subscriptions of Web Push have to be kept.
    var subscriptionsWithoutFolder: ConfigurationFaults {
        fault(
            \.webPush,
            "has no folder that keeps its subscriptions",
            hint: "add \"state: ./state\" to the file"
        )
    }
}

/// Certificate and key of a listener, or neither.
struct ListenerSecurity {
    let isPlaintext: Bool
    let certificate: String?
    let key: String?

    /// `nil` means that plaintext, certificate and key disagree.
    var security: HTTPConfiguration.Security? {
        switch (isPlaintext, certificate, key) {
        case (true, nil, nil): .plaintext
        case (false, let certificate?, let key?): .tls(certificate: certificate, key: key)
        default: nil
        }
    }

    /// Files that are read again while the host runs.
    var files: [String] { [certificate, key].compactMap { $0 } }
}

extension ConfigurationPlace {
    /// The place is that of `plaintext`.
    var securityFault: ConfigurationFaults {
        fault("and its certificate disagree", hint: "give plaintext: true, or certificate: and key:")
    }
}
