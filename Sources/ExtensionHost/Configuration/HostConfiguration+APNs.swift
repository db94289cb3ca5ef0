// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Ingress
import Yams

extension HostConfiguration {
    /// A listener for the provider API of APNs.
    struct APNs: Equatable {
        typealias Security = HTTPIngress.Configuration.Security

        var host: String
        var port: Int
        var security: Security
        /// Nil: whoever reaches the address may send.
        var authentication: SenderAuthentication?
        var environment: PushEnvironment
        var conformance: Conformance
        /// What is read again while the host runs: the configuration first, certificate, key, public keys of senders.
        var files: [String]
    }

    static func apns(_ node: Node, file: String) throws(CommandError) -> APNs {
        let keys = ["host", "port", "plaintext", "certificate", "key", "environment", "conformance", "auth"]
        let apns = try YAMLMapping(node, file: file, name: "apns", keys: keys)
        let host = try apns.string("host") ?? "127.0.0.1"
        let senders = try senders(apns)
        if senders == nil, IPAddress(host)?.isLoopback == false {
            throw apns.error(
                apns.node("auth") == nil ? "host" : "auth",
                "leaves \"\(host)\" open to everyone who reaches it",
                hint: "listen on 127.0.0.1 or ::1, or say under \"auth\" who may send"
            )
        }
        let security = try security(apns)
        if security == .plaintext, senders?.authentication.asksForCertificates == true {
            throw apns.error("auth", "lists certificates, which plaintext has not", hint: "give certificate: and key:")
        }
        var files = [file] + (senders?.publicKeyFiles ?? [])
        if case .tls(let certificate, let key) = security { files += [certificate, key] }
        return APNs(
            host: host,
            port: try apns.integer("port", in: 0...65_535) ?? 8443,
            security: security,
            authentication: senders?.authentication,
            environment: try apns.choice("environment", of: PushEnvironment.self)
                ?? (host == "localhost" || IPAddress(host)?.isLoopback == true ? .development : .production),
            conformance: try apns.choice("conformance", of: Conformance.self) ?? .lenient,
            files: files
        )
    }

    static func security(_ listener: YAMLMapping) throws(CommandError) -> APNs.Security {
        switch (try listener.bool("plaintext") ?? false, try listener.path("certificate"), try listener.path("key")) {
        case (true, nil, nil): return .plaintext
        case (false, let certificate?, let key?): return .tls(certificate: certificate, key: key)
        default:
            throw listener.error(
                "plaintext",
                "and its certificate disagree",
                hint: "give plaintext: true, or certificate: and key:"
            )
        }
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

extension HostConfiguration.APNs {
    var ingress: HTTPIngress.Configuration {
        HTTPIngress.Configuration(
            host: host,
            port: port,
            security: security,
            authentication: authentication,
            environment: environment,
            conformance: conformance
        )
    }
}
