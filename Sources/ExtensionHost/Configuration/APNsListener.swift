// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Ingress

/// `listen.apns` of host.yaml: a listener for the provider API of APNs.
struct APNsListener: ConfigurationMapping {
    var host = "127.0.0.1"
    var port = 8443
    var isPlaintext = false
    var certificate: String?
    var key: String?
    var statedEnvironment: PushEnvironment?
    var conformance = Conformance.lenient
    /// `nil` means that whoever reaches the address may send.
    var senders: SenderList?
    /// The configuration, which is read again while the host runs.
    private var file: String?

    static var rows: [ConfigurationRow<Self>] {
        ConfigurationRow(
            "host",
            .text,
            \.host,
            "The address to listen on; one that others reach needs `auth`.",
            example: "0.0.0.0"
        )
        ConfigurationRow(
            "port",
            .integer(0...65_535),
            \.port,
            "The port to listen on; with `0` the kernel chooses one.",
            example: "9443"
        )
        ConfigurationRow("plaintext", .flag, \.isPlaintext, "Whether the listener does without TLS.")
        ConfigurationRow(
            "certificate",
            .path,
            \.certificate,
            "The certificate chain of the listener, in PEM.",
            example: "tls/server.pem",
            reload: true
        )
        ConfigurationRow(
            "key",
            .path,
            \.key,
            "The private key of the certificate, in PEM.",
            example: "tls/server.key",
            reload: true
        )
        ConfigurationRow(
            "environment",
            .choice,
            \.statedEnvironment,
            "Which device tokens, keys and certificates the listener knows.",
            standard: "`development` on a loopback address, else `production`"
        )
        ConfigurationRow(
            "conformance",
            .choice,
            \.conformance,
            "Whether the listener takes what real clients send (`lenient`) or refuses what Apple documents as errors, and "
                + "an `apns-id` of late with another body (`strict`)."
        )
        ConfigurationRow(
            "auth",
            .senders,
            \.senders,
            "Who may send: `teams` and `certificates`, or `none` for whoever reaches a loopback address.",
            example: "none",
            reload: true
        )
    }

    mutating func judge(_ apns: ConfigurationSection<Self>) throws(ConfigurationFaults) {
        file = apns.file
        var faults = ConfigurationFaults()
        if senders == nil, IPAddress(host)?.isLoopback == false {
            faults.add(
                apns.fault(
                    apns.has(\.senders) ? \.senders : \.host,
                    "leaves \"\(host)\" open to everyone who reaches it",
                    hint: "listen on 127.0.0.1 or ::1, or say under \"auth\" who may send"
                )
            )
        }
        let security = listenerSecurity.security
        if security == nil { faults.add(apns.place(of: \.isPlaintext).securityFault) }
        if security == .plaintext, senders?.authentication.asksForCertificates == true {
            faults.add(
                apns.fault(
                    \.senders,
                    "lists certificates, which plaintext has not",
                    hint: "give certificate: and key:"
                )
            )
        }
        try faults.check()
    }
}

extension APNsListener {
    private var listenerSecurity: ListenerSecurity {
        ListenerSecurity(isPlaintext: isPlaintext, certificate: certificate, key: key)
    }

    /// Certificate and key, which were judged when they were read.
    var security: HTTPConfiguration.Security { listenerSecurity.security ?? .plaintext }

    var authentication: SenderAuthentication? { senders?.authentication }

    var environment: PushEnvironment {
        statedEnvironment
            ?? (host == "localhost" || IPAddress(host)?.isLoopback == true ? .development : .production)
    }

    /// The files that are read again while the host runs: the configuration, then public keys of senders, certificate
    /// and key.
    var files: [String] {
        [file].compactMap { $0 } + (senders?.publicKeyFiles ?? []) + listenerSecurity.files
    }

    var ingress: HTTPConfiguration {
        HTTPConfiguration(
            host: host,
            port: port,
            security: security,
            authentication: authentication,
            environment: environment,
            conformance: conformance
        )
    }
}

extension IPAddress {
    fileprivate var isLoopback: Bool {
        switch bytes.count {
        case 4: bytes[0] == 127
        default: self == IPAddress("::1") || bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 127])
        }
    }
}
