// SPDX-License-Identifier: Apache-2.0

import DesktopBus

extension BusConnection {
    /// Waits for the answer of a call; `nil` means a refusal, or the end of the bus.
    ///
    /// Other messages before it are passed over, so that nobody else may read from the connection meanwhile.
    func answer(to call: UInt64) async -> Heard.Body? {
        while let heard = try? await next({ Heard($0) }) {
            switch heard {
            case .answer(call, let body): return body
            case .refusal(call): return nil
            case .answer, .refusal, .signal, .other: break
            }
        }
        return nil
    }
}
