// SPDX-License-Identifier: Apache-2.0

import UserNotifications

/// Certificate pinning as apps write it.
final class PinnedSession: NSObject, URLSessionDelegate {
    private let pins: Set<Data> = []

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust,
            let trust = challenge.protectionSpace.serverTrust
        else { return completionHandler(.cancelAuthenticationChallenge, nil) }
        SecTrustSetPolicies(trust, [SecPolicyCreateSSL(true, challenge.protectionSpace.host as CFString)] as CFArray)
        var error: CFError?
        guard SecTrustEvaluateWithError(trust, &error),
            let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate],
            chain.contains(where: { pins.contains(SecCertificateCopyData($0) as Data) })
        else { return completionHandler(.cancelAuthenticationChallenge, nil) }
        completionHandler(.useCredential, URLCredential(trust: trust))
    }
}

class NotificationService: UNNotificationServiceExtension {
    private let session = PinnedSession()

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        let space = URLProtectionSpace(
            host: "example.com", port: 443, protocol: "https", realm: nil,
            authenticationMethod: NSURLAuthenticationMethodServerTrust
        )
        content.subtitle = "\(space.authenticationMethod == NSURLAuthenticationMethodServerTrust) \(space.serverTrust == nil)"
        contentHandler(content)
    }
}
