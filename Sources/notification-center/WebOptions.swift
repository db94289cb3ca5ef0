// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterAsking
import CenterServing
import Foundation
import HTTPServing
import HostConfinement

/// The port for browsers and for programs with tokens: in the clear for this machine alone, with TLS for others too.
struct WebOptions: ParsableArguments {
    @Option(help: "A port of this machine's own address for browsers and programs with tokens; 0 chooses one.")
    var http: UInt16?

    @Option(
        help: "With --certificate: the address to listen on; 0.0.0.0 and :: are all. Without it: this machine's own."
    )
    var host: String?

    @Option(
        help: "The chain of certificates in PEM, with which the port speaks TLS; SIGHUP reads it and its key again."
    )
    var certificate: String?

    @Option(help: "The private key of the certificate in PEM, which no other user can open.")
    var key: String?

    @Option(help: "With --certificate: the address that browsers have in their line: https://NAME[:PORT].")
    var publicOrigin: String?

    /// The files of TLS by their absolute paths; `nil` means that the port is in the clear.
    private var files: TLSFiles? {
        guard let certificate, let key else { return nil }
        func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
        return TLSFiles(certificate: absolute(certificate), key: absolute(key), care: .own)
    }

    /// Judges the options, reads certificate and key, and takes the port; `nil` means that none is wanted.
    func open() throws(Failure) -> OpenWeb? {
        try judge()
        guard let http else { return nil }
        let tls: ServerTLS?
        do throws(TLSFileError) {
            tls = try files.map { files throws(TLSFileError) in try ServerTLS(files) }
        } catch {
            throw Failure(error.message, hint: error.hint)
        }
        let origin = try publicOrigin.map { text throws(Failure) in try Self.origin(text) }
        let address = try address()
        let port =
            if let address, !address.isLoopback { try TakenPort(http, at: address) } else {
                try TakenPort(onLoopback: http)
            }
        return OpenWeb(port: port, origin: origin, tls: tls)
    }

    private func judge() throws(Failure) {
        let options = ["--host": host, "--certificate": certificate, "--key": key, "--public-origin": publicOrigin]
        if http == nil, let option = options.filter({ $0.value != nil }).keys.min() {
            throw Failure("\(option) is about the port, and there is none", hint: "name one: --http 8787")
        }
        let missing = [("--certificate", certificate), ("--key", key), ("--public-origin", publicOrigin)]
            .filter { $0.1 == nil }.map(\.0)
        if !missing.isEmpty, missing.count < 3 {
            throw Failure(
                "\(missing.joined(separator: " and ")) \(missing.count == 1 ? "is" : "are") missing for TLS",
                hint: "--certificate, --key and --public-origin go together"
            )
        }
    }

    /// The address to listen on; in the clear there is one machine that may listen to what is said: this one.
    private func address() throws(Failure) -> HostAddress? {
        guard let host else { return nil }
        let address = host == "localhost" ? HostAddress.loopback : HostAddress(host)
        guard let address else {
            throw Failure("\"\(host)\" is no address", hint: "name one of IPv4 or IPv6; 0.0.0.0 and :: are all")
        }
        guard address.isLoopback || certificate != nil else {
            throw Failure(
                "cannot listen on \"\(host)\" in the clear: whoever is on the way would read notifications and cookies",
                hint: "add --certificate, --key and --public-origin, or listen on 127.0.0.1"
            )
        }
        return address
    }

    private static func origin(_ text: String) throws(Failure) -> PublicOrigin {
        do {
            return try PublicOrigin(text)
        } catch {
            let (reason, hint) =
                switch error {
                case .scheme: ("it does not begin with https://", "write it as https://NAME or https://NAME:PORT")
                case .rest: ("something stands behind the name and the port", "leave out the path and its slash")
                case .name: ("its name is none that a browser sends", "write it in small letters, other ones as xn--…")
                case .loopback:
                    ("every port of this machine gets the cookies of its name", "leave it out, or name another host")
                case .port: ("its port is none that a browser sends", "name 1 to 65535, and leave :443 out")
                }
            throw Failure("the public origin \"\(text)\" cannot be used: \(reason)", hint: hint)
        }
    }
}

/// A port that is taken, and how the centre is reached there.
struct OpenWeb {
    let port: TakenPort
    /// `nil` means that it is reached from this machine alone.
    let origin: PublicOrigin?
    /// `nil` means that the port is in the clear.
    let tls: ServerTLS?

    /// The paths that have to be readable for a renewal.
    var readable: [String] {
        guard let files = tls?.files else { return [] }
        return ReloadedFiles.places(of: [files.certificate, files.key], awayFrom: [], home: NSHomeDirectory())
    }

    /// Reads certificate and key again, and says what came of it.
    func renew() {
        guard let tls else { return }
        do throws(TLSFileError) {
            try tls.renew()
            Terminal.say("certificate and key read again")
        } catch {
            Terminal.report(Failure("\(error.message); the former certificate stays", hint: error.hint))
        }
    }
}
