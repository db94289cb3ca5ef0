// SPDX-License-Identifier: Apache-2.0

import Dispatch
import HostRuntime
import Keychain
import Logging
import WorkerProtocol

// A worker asks for something of its app's keychain. The host answers for the app whose worker it is, whatever the
// worker says: no message names an app. The disk is waited for on a thread of its own, one question at a time.
extension WorkerSupervisor {
    func answerKeychain(_ call: KeychainCall, of worker: WorkerProcess) {
        let serial = worker.serial
        guard let keychain = configuration.keychain, worker.allowance.takeKeychainCall(now: clock.now) else {
            return sendKeychainAnswer(.failed, to: serial)
        }
        let app = worker.pool.configuration.app
        keychainQueue.async { [loop] in
            let answer = keychain(call, app)
            loop.perform { [weak self] in self?.assumeIsolated { $0.sendKeychainAnswer(answer, to: serial) } }
        }
    }

    private func sendKeychainAnswer(_ answer: KeychainAnswer, to serial: UInt64) {
        guard let worker = workers[serial], !worker.isSilent else { return }
        if answer == .failed {
            logger.warning(
                "keychain failed",
                metadata: ["worker.pid": "\(worker.pid)", "push.topic": "\(worker.pool.configuration.app)"]
            )
        }
        // A page of items and a secret fit a packet; if one ever did not, the worker must not wait for ever.
        let packet = try? HostMessage.keychain(answer).packet.encoded()
        guard let bytes = packet ?? (try? HostMessage.keychain(.failed).packet.encoded()) else { return }
        worker.conversation.answerKeychain()
        worker.channel.send(bytes)
    }
}
