// SPDX-License-Identifier: Apache-2.0

import CenterProtocol

// CenterStore has types of the same names, for what it keeps.

/// A request that waits for its trigger, as its app is told.
typealias ToldRequest = PendingRequest
/// A notification that was delivered, as its app is told.
typealias ToldNotification = StoredNotification
