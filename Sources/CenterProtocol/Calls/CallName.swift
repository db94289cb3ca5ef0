// SPDX-License-Identifier: Apache-2.0

/// The calls of an app to the centre, by their words.
package enum CallName: String, CaseIterable, Sendable {
    case authorize, settings, setCategories, categories, add, pending, removePending, delivered, removeDelivered, file
    case badge, register, withdraw

    /// True if a worker may not make the call: an extension has no device token of its own, and its lists name no
    /// files.
    package var isForAppsOnly: Bool {
        switch self {
        case .file, .register, .withdraw: true
        case .authorize, .settings, .setCategories, .categories, .add, .pending, .removePending, .delivered,
            .removeDelivered, .badge:
            false
        }
    }
}

/// The way by which a call comes to the centre.
package enum CallCarrier: Sendable {
    /// The socket of an app, or of a worker by way of the host: an unknown member is a fault.
    case socket
    /// The socket of a worker, which names files of its scratch folder and sends no descriptors; otherwise as `socket`.
    case worker
    /// An unknown member is ignored, and `null` counts as absent.
    case http

    var policy: Members.Policy {
        switch self {
        case .socket, .worker: .strict
        case .http: .lenient
        }
    }
}
