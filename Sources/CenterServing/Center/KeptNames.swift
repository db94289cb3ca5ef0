// SPDX-License-Identifier: Apache-2.0

import CenterStore

// CenterProtocol has types of the same names, for what an app is told.

/// A request of the store that waits for its trigger.
typealias KeptRequest = PendingRequest
/// A notification of the store.
typealias KeptNotification = StoredNotification
