// SPDX-License-Identifier: Apache-2.0

import ExtensionBuild
import Foundation
import WorkerSupervisor

/// The folder with the files of a listener that stands in for Apple's push servers, and of the gateway that is to trust
/// it.
///
/// The authority's key is in a folder of its own, for whoever called alone, and is removed before the files are put
/// into their places. A command that is killed leaves it there; the next one removes it first.
struct TapAuthority {
    private static let names = ["ca.pem", "bundle.pem", "server.pem", "server.key"]
    /// The folder in which the files are made.
    private static let draftsName = ".making"
    private static let systemBundleByteCountLimit = 16 << 20

    private let folder: String
    private let systemAuthorities: Data
    private let certificates: TapCertificates

    private var drafts: String { "\(folder)/\(Self.draftsName)" }

    /// - Throws: `CommandError` when openssl or the machine's authorities are not there, or the folder has files that
    ///   this command did not make.
    init(folder: String, systemBundle: String) throws(CommandError) {
        self.folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        certificates = try TapCertificates()
        let authorities = try? BundleFile.contents(of: systemBundle, atMost: Self.systemBundleByteCountLimit)
        guard let authorities, authorities.range(of: Data("-----BEGIN CERTIFICATE-----".utf8)) != nil else {
            throw CommandError(
                "\"\(systemBundle)\" has no certificates in PEM, or is not readable",
                hint: "Debian: apt-get install ca-certificates; elsewhere name the file with --system-bundle"
            )
        }
        systemAuthorities = authorities
        try checkFolder()
    }

    private func checkFolder() throws(CommandError) {
        let found: [String]
        do {
            found = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            guard !FileManager.default.fileExists(atPath: folder) else {
                throw CommandError("\"\(folder)\" is no folder that can be read", hint: "name another one")
            }
            return
        }
        let own = Self.names + [Self.draftsName]
        guard let other = found.sorted().first(where: { !own.contains($0) }) else { return }
        throw CommandError(
            "\"\(folder)\" has \"\(other)\", which this command did not make",
            hint: "name a folder that is empty, or is not there"
        )
    }

    /// Makes the four files, one command at a time.
    ///
    /// Each comes whole into its place. Those of before stay until all of the new ones are made; a kill between two of
    /// the four renames leaves some of each, which the next call mends.
    func make() throws(CommandError) {
        let signals = SignalsHeldBack()
        defer { signals.letGo() }
        if mkdir(folder, 0o755) == 0 { chmod(folder, 0o755) }
        let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { throw unwritable("open") }
        defer { close(lock) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw CommandError(
                "another make-ca is at work in \"\(folder)\"",
                hint: "wait for its end, or name another folder"
            )
        }
        // What a killed one left, with the key of its authority.
        try removeDrafts()
        guard mkdir(drafts, 0o700) == 0 else { throw unwritable("mkdir") }
        do throws(CommandError) {
            try certificates.make(in: drafts)
            try writeBundle()
        } catch {
            try removeDrafts()
            throw error
        }
        for name in Self.names { try move(name) }
        try removeDrafts()
    }

    private func writeBundle() throws(CommandError) {
        do {
            let authority = try Data(contentsOf: URL(fileURLWithPath: drafts + "/ca.pem"))
            let separator = systemAuthorities.last == UInt8(ascii: "\n") ? Data() : Data("\n".utf8)
            try (systemAuthorities + separator + authority).write(to: URL(fileURLWithPath: drafts + "/bundle.pem"))
        } catch {
            throw CommandError("\"\(drafts)/bundle.pem\" cannot be written: \(error.localizedDescription)")
        }
    }

    /// Puts a file into its place, for those who had the one of before: a host renews what it could read.
    private func move(_ name: String) throws(CommandError) {
        let (draft, place) = ("\(drafts)/\(name)", "\(folder)/\(name)")
        var mode: mode_t = name == "server.key" ? 0o600 : 0o644
        var former = stat()
        if lstat(place, &former) == 0, former.st_mode & S_IFMT == S_IFREG {
            // The group of a key may be one that reads it; nobody else may.
            mode = former.st_mode & (name == "server.key" ? 0o640 : 0o644) | 0o600
            _ = chown(draft, former.st_uid, former.st_gid)
        }
        guard chmod(draft, mode) == 0, rename(draft, place) == 0 else { throw unwritable("rename") }
    }

    private func removeDrafts() throws(CommandError) {
        guard FileManager.default.fileExists(atPath: drafts) else { return }
        do {
            try FileManager.default.removeItem(atPath: drafts)
        } catch {
            throw CommandError(
                "\"\(drafts)\" cannot be removed, and may have the key of an authority: \(error.localizedDescription)",
                hint: "remove it"
            )
        }
    }

    private func unwritable(_ call: String) -> CommandError {
        CommandError(
            "\"\(folder)\" cannot be written: \(SystemError(call, errno))",
            hint: "name a folder of this user's, in one that is there"
        )
    }

    /// The words for whoever called: what was made, and the next two steps.
    var summary: String {
        let path = URL(fileURLWithPath: folder).standardizedFileURL.path
        return """
            \(folder): \(Self.names.joined(separator: ", ")); they end on \(certificates.lastDay)
            host.yaml:  listen: { apns: { certificate: \(path)/server.pem, key: \(path)/server.key, … } }
            gateway:    HTTPS_PROXY=http://127.0.0.1:3128 SSL_CERT_FILE=\(path)/bundle.pem
            """
    }
}

/// SIGINT, SIGTERM and SIGHUP held back for a moment in which files of secrets lie about.
private struct SignalsHeldBack {
    private var former = sigset_t()

    init() {
        var held = sigset_t()
        sigemptyset(&held)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&held, signal) }
        pthread_sigmask(SIG_BLOCK, &held, &former)
    }

    /// Lets them come; one that came meanwhile ends the process now.
    func letGo() {
        var former = former
        pthread_sigmask(SIG_SETMASK, &former, nil)
    }
}
