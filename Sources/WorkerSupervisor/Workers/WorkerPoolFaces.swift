// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import WorkerProtocol

/// The owner of the notifications, as the owner of the workers knows it.
///
/// Notifications are known by their numbers.
protocol WorkSource: AnyObject {
    /// Returns what of an app's notifications waits.
    func line(of app: Int) -> Roster.Demand
    /// Gives the first notification that waits to a worker; false when none does.
    func giveNext(of app: Int, to worker: WorkerProcess) -> Bool
    /// A start failed: the first notification that waits pays for it, or all that do.
    func startFailed(of app: Int, concludesAll: Bool)
    /// A worker answered its request.
    func completed(_ run: UInt64, with content: WorkerMessage.Content, isLate: Bool)
    /// The turn of a notification that was sent ahead has come.
    func begun(_ run: UInt64)
    /// A worker ends with a notification.
    func fail(_ run: UInt64, _ failure: ExtensionFailure)
    /// A worker ended and never read its only request: the notification waits again if it may.
    func takeBackUnread(_ run: UInt64)
    /// A worker ends or gives back a notification that it has not begun: the notification waits again.
    func takeBack(_ run: UInt64)
    /// A worker ends whose requests are still being prepared: they wait again if they may, or fail, or
    /// with `nil` stay with the worker.
    func takeBackUnsent(of worker: WorkerProcess, orFail failure: ExtensionFailure?)
}

/// The owner that looks at the workers, as the owner of the workers knows it.
protocol WorkerWatching: AnyObject {
    /// A worker became busy or ready: the workers are looked at within a busy worker's interval.
    func watchSoon()
    /// A request began: the site's storage is looked at as long as one is open.
    func watchStorage(of site: ExtensionSite)
    /// Tells whether it is time to ask how full the worker's scratch folder is, as soon as it has nothing to do.
    func needsRest(_ worker: WorkerProcess) -> Bool
    /// A worker has nothing to do, which is the time to ask how full its scratch folder is.
    func lookAtScratch(of worker: WorkerProcess)
}
