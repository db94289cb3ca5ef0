// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
private import Logging
private import NIOCore
internal import NIOSSL

/// Fetches the sealed files of one app: a few at a time, under the rules of its extension's proxy.
///
/// The address of a file is the sender's choice, the hosts that it may lead to are the bundle's. Redirections are not
/// followed.
final class FileFetcher {
    typealias Completion = (Result<HeldFile, AttachmentRefusal>) -> Void

    private let app: String
    private let allowList: AllowList
    private unowned let loop: ProxyLoop
    private var open: [ObjectIdentifier: FileFetch] = [:]
    private var waiting = CircularBuffer<FileFetch>()
    private var logLinesLeft = 0
    private var logsAgainAt = Duration.zero
    /// Made with the first file: it reads the machine's list of authorities.
    private var context: NIOSSLContext?

    init(app: String, allowList: AllowList, loop: ProxyLoop) {
        self.app = app
        self.allowList = allowList
        self.loop = loop
    }

    func fetch(
        _ file: SealedFile,
        into target: @escaping @Sendable () -> HeldFile?,
        deadline: Duration,
        _ completion: @escaping Completion
    ) {
        guard let address = file.url.flatMap(FileAddress.init) else { return completion(.failure(.badEntry)) }
        guard allowList.admits(address.target) else {
            // Whom nobody lists is the sender's word, and may be a word of the notification.
            log(nil, refused: .notListed)
            return completion(.failure(.notListed))
        }
        let fetch = FileFetch(address, byteCount: file.sealedByteCount, into: target, loop: loop)
        fetch.whenDone(before: deadline) { [self] result in
            open[ObjectIdentifier(fetch)] = nil
            waiting.removeAll { $0 === fetch }
            log(address, fetch, result)
            startNext()
            completion(result)
        }
        waiting.append(fetch)
        startNext()
    }

    func close() {
        for fetch in Array(open.values) + Array(waiting) { fetch.fail(.notFetched) }
    }

    private func startNext() {
        while open.count < loop.limits.files, let next = waiting.popFirst() {
            open[ObjectIdentifier(next)] = next
            do {
                let context = try context ?? NIOSSLContext(configuration: .makeClientConfiguration())
                self.context = context
                next.start(Dial(next.address.target, for: app, admittedBy: allowList, loop: loop), context)
            } catch {
                loop.logger.error("no files are fetched", metadata: ["error": "\(error)"])
                next.fail(.notFetched)
            }
        }
    }

    // Hosts and sizes: never a path.

    private func log(_ address: FileAddress, _ fetch: FileFetch, _ result: Result<HeldFile, AttachmentRefusal>) {
        switch result {
        case .success:
            loop.logger.info("network used", metadata: metadata(address, ["network.down": "\(fetch.byteCount)"]))
        case .failure(let refusal): log(address, refused: refusal)
        }
    }

    private func log(_ address: FileAddress?, refused: AttachmentRefusal) {
        if loop.now >= logsAgainAt {
            logsAgainAt = loop.now + .seconds(60)
            logLinesLeft = loop.limits.loggedRefusals
        }
        guard logLinesLeft > 0 else { return }
        logLinesLeft -= 1
        loop.logger.info("network refused", metadata: metadata(address, ["network.reason": "\(refused.rawValue)"]))
    }

    private func metadata(_ address: FileAddress?, _ own: Logger.Metadata) -> Logger.Metadata {
        var metadata = own
        metadata["push.topic"] = "\(app)"
        if let target = address?.target { metadata["network.host"] = "\(target.place):\(target.port)" }
        return metadata
    }
}
