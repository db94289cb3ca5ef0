// SPDX-License-Identifier: Apache-2.0

import Locking
package import SceneModel

/// The place in which this process shows its view, as the session was told it last.
///
/// Process-wide, because a process shows one view alone: Apple's `UITraitCollection.current`, `UIScreen.main` and
/// `UIFont.preferredFont` name no view either. Before a session sets it, and in a service extension, it is a phone in
/// the light style with texts of the usual size.
package enum Surroundings {
    private static let state = Locked(ViewEnvironment())

    /// Read and set from any thread.
    package static var environment: ViewEnvironment {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
