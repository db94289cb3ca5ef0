// SPDX-License-Identifier: Apache-2.0

import Foundation
import PostgreSQL

extension FleetConfiguration {
    /// The files that libpq reads at each connection, which somebody may exchange while the host runs.
    var files: [String] {
        let named = ["PGPASSFILE", "PGSERVICEFILE", "PGSSLROOTCERT", "PGSSLCERT", "PGSSLKEY", "PGSSLCRL"]
            .compactMap { ProcessInfo.processInfo.environment[$0] }
            .filter { $0.hasPrefix("/") }
        return (ConnectionString(database)?.files ?? []) + named
    }

    /// The files of its user and the folders of the system that libpq looks into; one that is made later is not read.
    var readable: [String] {
        let home = NSHomeDirectory()
        let folders = ["PGSYSCONFDIR", "PGSSLCRLDIR"].compactMap { ProcessInfo.processInfo.environment[$0] }
        return ["/.pgpass", "/.pg_service.conf", "/.postgresql"].map { home + $0 } + ["/etc/postgresql-common"]
            + (folders + [ConnectionString(database)?.options["sslcrldir"]].compactMap { $0 })
            .filter { $0.hasPrefix("/") }
    }
}
