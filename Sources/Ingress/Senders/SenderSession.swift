// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

internal import struct Foundation.Date

/// The credentials that one connection has shown, whatever interface its senders speak.
final class SenderSession {
    private let context: SenderContext
    private let proved: () -> Void
    private var certificate: String?
    private var providers: ProviderSession
    private var version: Int
    private var failedTokens: RateWindow
    /// The connection showed too many tokens that prove nothing; it is to end.
    private(set) var hasFailedTooOften = false
    private var isProven = false
    /// Senders of Web Push who were found to be who they say.
    var vapid = VAPIDMemory()

    /// `proved` is called once, when the peer has shown a valid credential or an acceptable push; it must not hold the
    /// connection, which holds this session.
    init(_ context: SenderContext, failedTokensPerMinute: Int, proved: @escaping () -> Void) {
        self.context = context
        self.proved = proved
        providers = ProviderSession(
            authentication: context.authentication ?? SenderAuthentication(),
            environment: context.environment,
            conformance: context.conformance
        )
        version = context.version
        failedTokens = RateWindow(failedTokensPerMinute - 1, in: .seconds(60))
    }

    /// Takes the fingerprint of the certificate that the peer has shown, or `nil` without one.
    func show(certificate: String?) { self.certificate = certificate }

    /// Returns a random identifier, a version 4 UUID in lower case.
    func freshID() -> String { context.freshID() }

    /// Judges the credential of one provider request.
    func authorize(_ request: ProviderRequest, now: Date) throws(Refusal) -> SenderAuthority {
        guard let authentication = context.authentication else { return .everything }
        if let certificate {
            let authority = try authentication.authority(ofCertificate: certificate, environment: context.environment)
            prove()
            return authority
        }
        guard !hasFailedTooOften else { throw Refusal(.invalidProviderToken) }
        if version != context.version {
            version = context.version
            providers.use(authentication)
        }
        let failures = providers.failureCount
        do {
            let authority = try providers.authority(request, now: now)
            context.counters.checkedToken(providers.usedCache ? "cached" : "valid")
            prove()
            return authority
        } catch {
            context.counters.checkedToken(error.reason)
            if providers.failureCount > failures { noteFailedToken() }
            throw error
        }
    }

    /// Counts the deviations of a request that were let pass.
    func saw(_ quirks: [Quirk]) { context.counters.saw(quirks) }

    /// The peer is one whom the host knows: its connection gives way to nobody who is not.
    func prove() {
        guard !isProven else { return }
        isProven = true
        proved()
    }

    /// Counts a token that proves nothing.
    func noteFailedToken() {
        if failedTokens.isExceeded() { hasFailedTooOften = true }
    }
}
