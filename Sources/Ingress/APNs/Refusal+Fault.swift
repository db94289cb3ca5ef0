// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

private import struct Foundation.Date

extension Refusal {
    /// The words of APNs for what can be wrong with any request.
    init(apns fault: PushFault) {
        switch fault {
        case .late: self.init(.idleTimeout)
        case .tooLong: self.init(.payloadTooLarge)
        case .tooFast: self.init(.tooManyRequests)
        case .idTaken: self.init(.badMessageId)
        case .noRoom: self.init(.serviceUnavailable)
        case .notStored: self.init(.serviceUnavailable, retryAfter: 60)
        case .badToken(.unknown), .badToken(.ofAnotherEnvironment): self.init(.badDeviceToken)
        case .badToken(.ofAnotherApp): self.init(.deviceTokenNotForTopic)
        case .badToken(.removed(let date)):
            self.init(unregisteredAt: Date(timeIntervalSince1970: Double(date) / 1000))
        case .drained: self.init(.shutdown)
        case .broken: self.init(.internalServerError)
        }
    }
}
