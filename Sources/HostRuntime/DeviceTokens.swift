// SPDX-License-Identifier: Apache-2.0

package import struct Foundation.Date

/// The device tokens that a host knows, as they are now.
///
/// Asked for each request on an event loop: answers from memory.
package protocol DeviceTokens: Sendable {
    /// Returns the state of a token in lower-case hex digits; nil: nobody ever had it, or its removal is forgotten.
    ///
    /// - Throws: `DeviceTokensUnavailable`: nobody can tell now, and no sender may hear that a token is bad.
    func state(of token: String) throws(DeviceTokensUnavailable) -> DeviceTokenState?
    /// The app that takes pushes for this topic, suffix of a push type included.
    func app(forTopic topic: String) throws(DeviceTokensUnavailable) -> DeviceTokenTable.Registration?
}

package enum DeviceTokenState: Sendable, Equatable {
    case active(DeviceTokenTable.Registration)
    /// 410 `Unregistered`, with the time of the removal.
    case removed(DeviceTokenTable.Registration, at: Date)
    /// The store of pushes knows the tokens, and says what a push's is when it is given it.
    case judgedByStore
}

package struct DeviceTokensUnavailable: Error, Equatable {
    package init() {}
}

extension DeviceTokenTable: DeviceTokens {
    package func state(of token: String) -> DeviceTokenState? {
        registration(of: token).map(DeviceTokenState.active)
    }
}
