// SPDX-License-Identifier: Apache-2.0

public import FoundationCompatibility

// Trust in servers. Foundation asks no delegate about it on Linux: each connection is checked by libcurl against the
// authorities of the machine, and no object of this file is ever made. What an app has written compiles, with a warning
// where it asks for the trust of a server.

/// A server's certificates and how far they are trusted; there is none here.
public final class SecTrust: Sendable, Hashable {
    private init() {}

    /// True for one and the same object.
    public static func == (first: SecTrust, second: SecTrust) -> Bool { first === second }
    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A certificate; there is none here.
public final class SecCertificate: Sendable, Hashable {
    private init() {}

    /// True for one and the same object.
    public static func == (first: SecCertificate, second: SecCertificate) -> Bool { first === second }
    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A key as an object; there is none here.
public final class SecKey: Sendable, Hashable {
    private init() {}

    /// True for one and the same object.
    public static func == (first: SecKey, second: SecKey) -> Bool { first === second }
    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A rule by which certificates are judged.
public final class SecPolicy: Sendable, Hashable {
    fileprivate init() {}

    /// True for one and the same object.
    public static func == (first: SecPolicy, second: SecPolicy) -> Bool { first === second }
    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The result of a judgement by the former calls.
public enum SecTrustResultType: UInt32, Sendable {
    case invalid = 0
    case proceed = 1
    case deny = 3
    case unspecified = 4
    case recoverableTrustFailure = 5
    case fatalTrustFailure = 6
    case otherError = 7
}

extension URLProtectionSpace {
    /// The trust of the server, which is nil: nobody asks about it here.
    @available(
        *,
        deprecated,
        message: "no delegate is asked about a server here: the machine's authorities count, and no pin is checked"
    )
    public var serverTrust: SecTrust? { nil }
}

/// The method of a challenge about a server, which does not come here.
@available(
    *,
    deprecated,
    message: "no delegate is asked about a server here: the machine's authorities count, and no pin is checked"
)
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

extension URLCredential {
    /// A credential that trusts a server.
    public convenience init(trust: SecTrust) {
        self.init(user: "", password: "", persistence: .none)
    }
}

/// Returns false, and `errSecUnimplemented` as the error.
@discardableResult
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    unsafe error?.pointee = NSError(domain: NSOSStatusErrorDomain, code: Int(errSecUnimplemented))
    return false
}

/// Returns `errSecUnimplemented`, and `invalid` as the result.
@discardableResult
public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>?) -> OSStatus {
    unsafe result?.pointee = .invalid
    return errSecUnimplemented
}

/// Returns `errSecUnimplemented`, and no trust.
@discardableResult
public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef,
    _ policies: CFTypeRef?,
    _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
    unsafe trust.pointee = nil
    return errSecUnimplemented
}

/// Returns `errSecUnimplemented`.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus { errSecUnimplemented }

/// Returns `errSecUnimplemented`.
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchors: CFArray?) -> OSStatus { errSecUnimplemented }

/// Returns `errSecUnimplemented`.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ only: Bool) -> OSStatus { errSecUnimplemented }

/// Returns 0.
@discardableResult
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> Int { 0 }

/// Returns nil.
@discardableResult
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ index: Int) -> SecCertificate? { nil }

/// Returns nil.
@discardableResult
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { nil }

/// Returns nil.
@discardableResult
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? { nil }

/// Returns nil.
@discardableResult
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { nil }

/// A policy for a server's certificate.
@discardableResult
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy { SecPolicy() }

/// A policy for certificates alone.
@discardableResult
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy() }

/// Returns nil: no certificate is read here.
@discardableResult
public func SecCertificateCreateWithData(_ allocator: CFTypeRef?, _ data: CFData) -> SecCertificate? { nil }

/// Returns no bytes.
@discardableResult
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { Data() as CFData }

/// Returns nil.
@discardableResult
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? { nil }

/// Returns nil.
@discardableResult
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? { nil }

/// Returns nil, and `errSecUnimplemented` as the error.
@discardableResult
public func SecKeyCopyExternalRepresentation(_ key: SecKey, _ error: UnsafeMutablePointer<CFError?>?) -> CFData? {
    unsafe error?.pointee = NSError(domain: NSOSStatusErrorDomain, code: Int(errSecUnimplemented))
    return nil
}

/// Returns nil.
@discardableResult
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? { nil }

/// A policy for revoked certificates.
@discardableResult
public func SecPolicyCreateRevocation(_ flags: UInt) -> SecPolicy? { SecPolicy() }

/// Returns `errSecUnimplemented`, and the block is not called.
@discardableResult
public func SecTrustEvaluateAsyncWithError(
    _ trust: SecTrust,
    _ queue: DispatchQueue,
    _ result: @escaping (SecTrust, Bool, CFError?) -> Void
) -> OSStatus { errSecUnimplemented }

/// Returns `errSecUnimplemented`, and `invalid` as the result.
@discardableResult
public func SecTrustGetTrustResult(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    unsafe result.pointee = .invalid
    return errSecUnimplemented
}

/// Returns nil.
@discardableResult
public func SecTrustCopyExceptions(_ trust: SecTrust) -> CFData? { nil }

/// Returns false.
@discardableResult
public func SecTrustSetExceptions(_ trust: SecTrust, _ exceptions: CFData?) -> Bool { false }

/// Returns `errSecUnimplemented`, and no name.
@discardableResult
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate,
    _ name: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    unsafe name.pointee = nil
    return errSecUnimplemented
}
