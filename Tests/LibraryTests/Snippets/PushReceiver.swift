// SPDX-License-Identifier: Apache-2.0

import E2ECrypto

/// Opens what one app is sent.
actor PushReceiver {
    private let opener: Opener
    private let replays: ReplaySet
    private let journal: ReplayJournal
    private let topic: String

    /// `senders` are public keys, `nse1…`; `replayFiles` two open files of nobody else's.
    init(keyFile: String, senders: [String], topic: String, replayFiles: (Int32, Int32), now: Int64) throws {
        let arena = try SecretArena()
        let keys = try KeyFile.read(path: keyFile, into: arena)
        let known = try senders.map { OpenPolicy.Sender(publicKey: try PublicKey(parsing: $0)) }
        let replays = ReplaySet()
        let journal = try ReplayJournal(descriptors: replayFiles, of: replays, now: now)
        let policy = OpenPolicy(senders: known, requiresSender: true)
        let opener = try Opener(keys: keys, policy: policy, replays: replays)
        try arena.makeReadOnly()
        self.opener = opener
        self.replays = replays
        self.journal = journal
        self.topic = topic
    }

    /// The payload to show: what was sealed, or the push as it came, with the reason.
    func payload(of push: [UInt8], now: Int64) throws -> (payload: [UInt8], refusal: OpenError?) {
        let context = PushContext(topic: topic, row: replays.nextPush)
        do {
            let opened = try opener.open(push: push.span, context: context, now: now)
            try journal.commit(now: now)
            return (opened.bytes, nil)
        } catch let error as OpenError {
            return (push, error)
        }
    }
}
