// SPDX-License-Identifier: Apache-2.0

/// Feeds hostile packets to both ends of an app's socket, and holds what they take against what they would have sent.
///
/// Source: PROTOCOL.md, "App socket".
public enum AppSocketCheck {
    /// Reads a script of packets, of which those that come before the first violation are taken; those of types below
    /// 0x80 are the centre's.
    public static func check(_ bytes: [UInt8]) -> Verdict {
        Verdict { () throws(BrokenPromise) in
            var socket = TwinAppSocket()
            var taken = 0
            for step in PacketScript(bytes).steps {
                switch step {
                case .expiry(let id): try socket.expireQuestion(id)
                case .packet(let packet, let descriptorCount):
                    guard try socket.take(packet, descriptorCount) else { return taken }
                    taken += 1
                }
            }
            return taken
        }
    }
}
