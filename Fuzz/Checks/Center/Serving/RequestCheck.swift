// SPDX-License-Identifier: Apache-2.0

private import CenterServing
private import NIOHTTP1
private import NotificationPayload

/// Feeds hostile requests to the reader of targets and to the checks of a port, and holds both against plainer ones.
///
/// Shape: as `RequestScript` has it.
/// Source: docs/notification-center.md, "Who may ask?".
public enum RequestCheck {
    /// Reads one request, whatever it is; one whose target is ours is taken.
    public static func check(_ bytes: [UInt8]) -> Verdict {
        Verdict { () throws(BrokenPromise) in
            guard let script = RequestScript(bytes) else { return 0 }
            for port in [8787, 80] {
                try checkPort(script, port, isTLS: false)
                try checkPort(script, port == 80 ? 443 : port, isTLS: true)
            }
            let plain = NaiveTarget(script.head.uri)
            guard let request = APIRequest(script.head, body: script.body) else {
                try expect(plain == nil, "a target that a plainer reader reads is one")
                return 0
            }
            try check(request, plain)
            try checkBody(request, script)
            return 1
        }
    }

    // MARK: The target

    private static func check(_ request: APIRequest, _ plain: NaiveTarget?) throws(BrokenPromise) {
        guard let plain else { throw BrokenPromise("a target that a plainer reader refuses is none") }
        try expect(request.path.map { Array($0.utf8) } == plain.path.map { Array($0.utf8) }, "a path has these parts")
        for (key, value) in plain.query {
            try expect(
                request[key]?.utf8.elementsEqual(value.utf8) == true,
                "a parameter is what stands behind its name"
            )
            try checkNumber(request, key, value)
            let flag = try? request.flag(key)
            try expect(flag == (value == "true" ? true : value == "false" ? false : nil), "a flag is true or false")
        }
        try expect(plain.query["limit"] != nil || request["limit"] == nil, "a parameter that is not there is none")
    }

    private static func checkNumber(_ request: APIRequest, _ key: String, _ value: String) throws(BrokenPromise) {
        let digits = value.utf8.drop { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
        for range in [1...200, 0...Int64.max] as [ClosedRange<Int64>] {
            guard let number = try? request.number(key, in: range) else { continue }
            try expect(range.contains(number), "a number is within its range")
            try expect(
                digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } && Int64(value) == number,
                "a number is written in digits"
            )
        }
    }

    // MARK: The body

    private static func checkBody(_ request: APIRequest, _ script: RequestScript) throws(BrokenPromise) {
        let object: JSONObject
        do throws(APIError) { object = try request.object() } catch {
            try expect(error.isOfBody, "a body is refused for what it is")
            return
        }
        try expect(
            script.head.headers["content-type"].contains { NaiveGate.isJSON($0.utf8) },
            "a body says that it is JSON"
        )
        let read = try? JSONObject(parsing: object.serialized.span, depthLimit: 64)
        try expect(read == object, "a body reads the same once written")
        try expect(object["code"]?.string?.utf8.contains(0) != true, "a code has no NUL")
    }

    // MARK: The port

    private static func checkPort(_ script: RequestScript, _ port: Int, isTLS: Bool) throws(BrokenPromise) {
        let name = "nestbox-1a2b3c4d.localhost"
        var site = Site(name: name, port: port)
        if isTLS {
            guard let origin = try? PublicOrigin("https://\(name)" + (port == 443 ? "" : ":\(port)")) else {
                throw BrokenPromise("a name with a port is a public origin")
            }
            site = Site(origin, port: port)
        }
        let plain = NaiveGate(script.head, name: name, port: port, isTLS: isTLS)
        let presented = PresentedCredential(script.head.headers, SessionCookie(isSecure: isTLS))
        try expect(presented == plain.credential, "a request shows this credential")
        func isLetIn(_ judge: () throws(APIError) -> Void) -> Bool { (try? judge()) != nil }
        let isNamed = isLetIn { () throws(APIError) in try site.judgeHost(script.head, presented) }
        try expect(isNamed == plain.namesUs, "a host is ours, or this machine for who has a token")
        let hasBody = !script.body.isEmpty
        let isOwn = isLetIn { () throws(APIError) in try site.judgeBrowser(script.head, hasBody: hasBody) }
        try expect(isOwn == plain.isOwnPage(hasBody: hasBody), "a browser is let in for a page of ours")
        let signsIn = isLetIn { () throws(APIError) in try site.judgeSignIn(script.head) }
        try expect(signsIn == plain.maySignIn, "a sign-in is a page's of ours, or a program's")
    }
}

extension APIError {
    fileprivate var isOfBody: Bool {
        switch self {
        case .mediaType, .badJSON: true
        default: false
        }
    }
}
