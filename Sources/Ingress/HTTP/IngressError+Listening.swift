// SPDX-License-Identifier: Apache-2.0

private import Glibc
private import NIOCore

extension IngressError {
    init(unresolvable host: String, _ error: any Error) {
        self.init(
            .addressUnusable,
            "cannot listen on \"\(host)\": no such address",
            hint: "use 127.0.0.1 or ::1",
            underlying: error
        )
    }

    init(notLoopback host: String) {
        self.init(
            .notLoopback,
            "cannot listen on \"\(host)\" without credentials: everyone who reaches it could send",
            hint: "listen on 127.0.0.1 or ::1, or say under \"auth\" who may send"
        )
    }

    init(securityChanged configuration: HTTPConfiguration) {
        let (host, port) = (configuration.host, configuration.port)
        self.init(
            .securityChanged,
            "cannot turn TLS on or off for \(host):\(port) while it is open: its senders would be cut off or overheard",
            hint: "start the host again"
        )
    }

    init(binding host: String, port: Int, _ error: any Error) {
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            self.init(
                .addressInUse,
                "cannot listen on \(host):\(port): the address is in use",
                hint: "stop the program that has it, or choose another port",
                underlying: error
            )
        case EACCES:
            self.init(
                .addressUnusable,
                "cannot listen on \(host):\(port): not permitted",
                hint: "choose a port from 1024 on",
                underlying: error
            )
        case EADDRNOTAVAIL:
            self.init(
                .addressUnusable,
                "cannot listen on \(host):\(port): this machine does not have the address",
                hint: "use 127.0.0.1 or ::1",
                underlying: error
            )
        default:
            self.init(.addressUnusable, "cannot listen on \(host):\(port): \(error)", underlying: error)
        }
    }
}
