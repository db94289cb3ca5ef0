// SPDX-License-Identifier: Apache-2.0

public import UserNotifications

/// Runs a service extension as a worker of `extension-host`.
///
/// An extension's `main.swift` is one statement:
/// ```swift
/// NotificationServiceWorker.serve(NotificationService())
/// ```
/// The host starts the executable with its socket as descriptor 3; PROTOCOL.md says what is spoken there.
public enum NotificationServiceWorker {
    /// Serves notifications until the host ends the conversation; call it on the main thread, as the last statement.
    ///
    /// The expression is evaluated once for every notification, on the thread the notification gets; that instance is
    /// held until the notification's completion. The main thread runs the main queue meanwhile.
    ///
    /// A worker of `swift build` has random identifiers like one of `extension-host build`, but not with
    /// `--static-swift-stdlib`: every `UUID()` in the sandbox is the same then, unless the linker is given
    /// `--wrap=uuid_generate_random` and `--wrap=_foundation_uuid_generate_random`.
    ///
    /// Exit status: 0 when the host hangs up or asks for it; 1 when the host breaks the protocol, when a content does
    /// not fit a packet, or when no thread can be started; 2 when descriptor 3 is no socket of a host.
    public static func serve(
        _ makeExtension: @autoclosure @escaping @Sendable () -> UNNotificationServiceExtension
    ) -> Never {
        WorkerProcess.serve(.service(makeExtension))
    }
}
