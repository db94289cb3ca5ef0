// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

/// A request that waits for its end or its answer.
protocol PushAnswering: AnyObject {
    /// True if the body came to an end, or the request was answered.
    var isComplete: Bool { get }
    /// Counts the requests that are answered one after the other.
    var number: Int { get }
    /// Answers the request; `nil` means that the acceptor failed.
    func answer(_ acceptance: Acceptance?)
    /// Refuses the request, because its body did not come in time.
    func timeOut()
}
