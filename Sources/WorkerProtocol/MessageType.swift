// SPDX-License-Identifier: Apache-2.0

/// The first byte of a packet.
///
/// Messages of a host are below 0x80, what comes back to it above.
/// Source: PROTOCOL.md, "Messages".
package enum MessageType: UInt8, Sendable, CaseIterable {
    // Host → worker or opener.
    case hello = 0x01
    case request = 0x02
    case willExpire = 0x03
    case shutdown = 0x04
    case keychainAnswer = 0x05
    case answer = 0x06
    case recall = 0x07
    case open = 0x10
    case sealedFile = 0x11
    /// Bytes of a sealed file follow the header, and no JSON.
    case sealedBytes = 0x12
    case policy = 0x13
    // Host → worker of a view.
    case view = 0x20
    case viewEvent = 0x21
    // Worker or opener → host.
    case ready = 0x81
    case content = 0x82
    case log = 0x83
    case keychain = 0x84
    case call = 0x85
    case returned = 0x86
    case opened = 0x90
    case refused = 0x91
    case rejected = 0x92
    case unavailable = 0x93
    case fileState = 0x94
    /// Bytes of an opened file follow the header, and no JSON.
    case fileBytes = 0x95
    // Worker of a view → host.
    case viewScene = 0xA0
}

extension MessageType {
    /// True if messages of a worker of this type belong to a request, a call or a view.
    var carriesID: Bool {
        switch self {
        case .content, .call, .returned, .viewScene: true
        default: false
        }
    }
}

/// The version of the conversation that `hello` offers and `ready` confirms.
package let workerProtocolVersion: Int64 = 1
