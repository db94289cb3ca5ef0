// SPDX-License-Identifier: Apache-2.0

import Foundation
import PostgreSQL

extension FleetConfiguration {
    /// The files that libpq reads at each connection, which somebody may exchange while the host runs.
    var files: [String] {
        let environment = ProcessInfo.processInfo.environment
        let home = NSHomeDirectory()
        let named = [
            "PGPASSFILE", "PGSERVICEFILE", "PGSYSCONFDIR", "PGSSLROOTCERT", "PGSSLCERT", "PGSSLKEY", "PGSSLCRL",
        ]
        .compactMap { environment[$0] }
        let usual = ["/.pgpass", "/.pg_service.conf", "/.postgresql"].map { home + $0 }
        return (ConnectionString(database)?.files ?? []) + named + usual
    }

    /// The files and folders beside those, which stay as they are: the system's services, and the names of users.
    var readable: [String] { ["/etc/postgresql-common", "/etc/passwd"] }
}
