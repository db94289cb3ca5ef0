// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import GatewayTap
import Glibc
import HostRuntime
import Logging
import TerminationSignals

/// The command for gateways that have Apple's address built in.
struct TapCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tap",
        abstract: "Leads gateways that have Apple's address built in to a host.",
        discussion: """
            A proxy on 127.0.0.1 for api.push.apple.com, api.sandbox.push.apple.com and api.development.push.apple.com,
            ports 443 and 2197, and for no other name. A gateway is started with HTTPS_PROXY, or its own setting for a
            proxy, and with the certificate of "tap make-ca".

            Example:
              extension-host tap make-ca /etc/nestbox/tap
              extension-host tap --production 127.0.0.1:8443
              HTTPS_PROXY=http://127.0.0.1:3128 SSL_CERT_FILE=/etc/nestbox/tap/bundle.pem gateway
            """,
        subcommands: [Run.self, MakeAuthority.self],
        defaultSubcommand: Run.self
    )

    struct Run: HostingCommand {
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Runs the proxy until it is told to stop; this is what \"tap\" alone does.",
            discussion: """
                TLS goes through unopened to a listener of a host, whose certificate is the one of "tap make-ca". SIGTERM
                cuts the tunnels: a push without an answer is for its gateway to send again.
                """
        )

        @Option(
            help: ArgumentHelp("The listener that stands for api.push.apple.com.", valueName: "host:port"),
            transform: place
        )
        var production: ListenerPlace?

        @Option(
            help: ArgumentHelp(
                "The listener that stands for api.sandbox.push.apple.com and api.development.push.apple.com.",
                valueName: "host:port"
            ),
            transform: place
        )
        var development: ListenerPlace?

        @Option(help: "The port on 127.0.0.1; with 0 the kernel chooses one.")
        var port: UInt16 = 3128

        @OptionGroup var log: LogOptions

        private static func place(_ text: String) throws -> ListenerPlace {
            guard let place = ListenerPlace(text) else { throw ValidationError("expected a host and a port") }
            return place
        }

        func validate() throws {
            guard production != nil || development != nil else {
                throw ValidationError("no listener is named: --production HOST:PORT, --development HOST:PORT, or both")
            }
        }

        func prepare() throws -> TapWork {
            signal(SIGPIPE, SIG_IGN)
            try StandardDescriptors.check()
            return TapWork(
                port: Int(port),
                listeners: [.production: production, .development: development].compactMapValues { $0 },
                logger: log.makeLogger()
            )
        }
    }

    struct MakeAuthority: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "make-ca",
            abstract: "Makes the certificate of a listener in Apple's place, and the authority that a gateway trusts.",
            discussion: """
                Four files for 30 days: server.pem and server.key for the listener, ca.pem for the gateway, and bundle.pem,
                which is ca.pem behind the machine's own authorities. The authority can vouch for push.apple.com and what
                is below, and its key is gone when the command ends. Give ca.pem to one gateway's process, never to the
                machine. Called again, it replaces the four.

                Example:
                  extension-host tap make-ca tap/
                """
        )

        @Option(help: "The authorities that the machine trusts, in PEM.", completion: .file())
        var systemBundle = "/etc/ssl/certs/ca-certificates.crt"

        @Argument(help: "The folder for the four files; it is made if it is not there.", completion: .directory)
        var folder: String

        func run() throws {
            let authority = try TapAuthority(folder: folder, systemBundle: systemBundle)
            try authority.make()
            print(authority.summary)
        }
    }
}

/// A running tap, until a signal ends it.
struct TapWork: HostWork {
    let port: Int
    let listeners: [PushEnvironment: ListenerPlace]
    let logger: Logger

    func run() async throws {
        let stop = StopRequest()
        let signals = TerminationSignals { stop.request(.terminated) }
        defer { withExtendedLifetime(signals) {} }
        var limits = GatewayTap.Limits()
        limits.connections = GatewayTap.Limits.connections(descriptors: DescriptorBudget.raiseLimit())
        let tap: GatewayTap
        do throws(TapError) {
            tap = try await GatewayTap.start(port: port, listeners: listeners, limits: limits, logger: logger)
        } catch {
            throw CommandError(error.message, hint: error.hint)
        }
        logger.notice(
            "listening",
            metadata: [
                "tap.address": "127.0.0.1:\(tap.port)", "tap.connections": "\(limits.connections)",
                "tap.production": "\(listeners[.production].map { "\($0)" } ?? "none")",
                "tap.development": "\(listeners[.development].map { "\($0)" } ?? "none")",
            ]
        )
        await stop.wait()
        await tap.end()
        logger.notice("stopped")
    }
}
