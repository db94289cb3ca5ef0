// SPDX-License-Identifier: Apache-2.0

/// The way of a test's steps to a view: into a process of its own, or to a controller of this one.
///
/// The view ends with the last reference to it.
package protocol ViewDoor: Sendable {
    /// Hands an act over, and returns once the state has what it led to.
    ///
    /// Throws `ViewProblem` for one that is not possible.
    func take(_ act: ViewAct, _ state: ViewState) async throws

    /// Ends the view, and returns once it has ended.
    func close(_ state: ViewState) async
}
