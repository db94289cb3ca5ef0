// SPDX-License-Identifier: Apache-2.0

import Glibc
import NotificationPayload

extension KeyFile {
    /// Creates the file at `path` with mode 0600 and writes the ring into it.
    ///
    /// `created`, in Unix milliseconds, becomes a comment for people. Throws `exists` rather than overwrite; a file
    /// that could not be written whole is removed.
    public static func create(path: String, ring: borrowing KeyRing, created: Int64) throws(KeyFileError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw KeyFileError(errno == EEXIST ? .exists : .system(errno)) }
        do throws(KeyFileError) {
            try write(ring: ring, created: created, to: descriptor)
            guard fsync(descriptor) == 0 else { throw KeyFileError(.system(errno)) }
            close(descriptor)
        } catch {
            close(descriptor)
            unsafe unlink(path)
            throw error
        }
    }

    /// Writes the ring as the text of a key file to an open descriptor.
    ///
    /// Key pairs, paired secrets and Web Push subscriptions are written; secrets that other systems make are not.
    public static func write(
        ring: borrowing KeyRing,
        created: Int64,
        to descriptor: Int32
    ) throws(KeyFileError) {
        try write(to: descriptor, in: ring.arena) { text in text.append(ring, created: UTCTime.text(of: created)) }
    }

    /// Writes what a Web Push service is told of the ring's first subscription, `p256dh` and `auth`, one a line, in
    /// base64url, each behind `prefix` and its name.
    ///
    /// `auth` is a secret of the subscription and of whoever may push to it. Nothing is written for a ring without one.
    public static func writeSubscription(
        of ring: borrowing KeyRing,
        prefix: String = "",
        to descriptor: Int32
    ) throws(KeyFileError) {
        guard let place = ring.sharedSecrets.first(where: { $0.format == .webPush })?.secret else { return }
        let secret = unsafe WebPush.Secret(start: UnsafePointer(ring.arena.pointer(to: place)))
        try write(to: descriptor, in: ring.arena) { text in
            text.append("\(prefix)p256dh: ")
            unsafe text.append(base64URL: secret.publicKeyBytes)
            text.append("\n\(prefix)auth: ")
            unsafe text.append(base64URL: secret.authenticationBytes)
            text.append("\n")
        }
    }

    /// The text is made in locked memory and goes from there to the kernel, in one call where the kernel takes it.
    private static func write(
        to descriptor: Int32,
        in arena: SecretArena,
        _ compose: (inout KeyText) -> Void
    ) throws(KeyFileError) {
        let problem = unsafe arena.withReadingRoom(maximumByteCount) { room -> KeyFileError.Problem? in
            var text = unsafe KeyText(room)
            compose(&text)
            guard text.isWhole else { return .tooLong(limit: maximumByteCount) }
            return text.write(to: descriptor) ? nil : .system(errno)
        }
        guard let problem else { throw KeyFileError(.arenaFull) }
        if let problem { throw KeyFileError(problem) }
    }
}
