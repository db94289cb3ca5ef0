// SPDX-License-Identifier: Apache-2.0

/// The cookie of a session: for its site alone, and out of the reach of scripts.
package struct SessionCookie: Sendable {
    /// True where the site has TLS, and the browser sends the cookie nowhere else.
    private let isSecure: Bool

    package init(isSecure: Bool) {
        self.isSecure = isSecure
    }

    /// A browser takes a name that begins with `__Host-` from its very host alone, over TLS and for every path.
    ///
    /// Source: RFC 6265bis, section 4.1.3.2.
    var name: String { isSecure ? "__Host-nestbox" : "nestbox" }

    private var attributes: String { "; Path=/; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "") }

    /// The value of `set-cookie` that gives a browser the secret of a session.
    func set(_ secret: Secret) -> String {
        "\(name)=\(secret.text)\(attributes); Max-Age=\(WebGate.sessionTime / 1000)"
    }

    /// The value of `set-cookie` that takes it away.
    var cleared: String { "\(name)=\(attributes); Max-Age=0" }
}
