// SPDX-License-Identifier: Apache-2.0

package import CenterStore
import Locking

/// The API of each owner, the same one at whichever door it is asked.
package final class OwnerAPIs: Sendable {
    let center: Center
    private let clock: any Clock<Duration>
    private let apis = Locked<[OwnerName: CenterAPI]>([:])

    package init(_ center: Center, clock: any Clock<Duration>) {
        self.center = center
        self.clock = clock
    }

    package func api(of owner: OwnerName) -> CenterAPI {
        apis.withLock { apis in
            if let api = apis[owner] { return api }
            let api = CenterAPI(center: center, owner: owner, clock: clock)
            apis[owner] = api
            return api
        }
    }
}
