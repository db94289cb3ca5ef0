// SPDX-License-Identifier: Apache-2.0

import Foundation
import PostgreSQL

extension FleetConfiguration {
    /// The files and folders that libpq reads at each connection, which the host's confinement has to leave to it.
    var readable: [String] {
        let environment = ProcessInfo.processInfo.environment
        let home = NSHomeDirectory()
        let named = [
            "PGPASSFILE", "PGSERVICEFILE", "PGSYSCONFDIR", "PGSSLROOTCERT", "PGSSLCERT", "PGSSLKEY", "PGSSLCRL",
        ]
        .compactMap { environment[$0] }
        let usual = ["/.pgpass", "/.pg_service.conf", "/.postgresql"].map { home + $0 }
        return (ConnectionString(database)?.files ?? []) + named + usual + ["/etc/postgresql-common"]
    }
}
