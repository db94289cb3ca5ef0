// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Testing

@testable import GatewayTap

/// Requests of a gateway to a proxy, and the answers.
struct TapRequestTests {
    private func request(_ line: String, _ fields: String = "Host: x\r\n") -> TapRequest {
        TapRequest(head: Array("\(line)\r\n\(fields)\r\n".utf8))
    }

    @Test(arguments: [443, 2197])
    func `each name of Apple's has its environment, on both ports`(port: Int) throws {
        for (name, environment) in PushServerName.all {
            let expected = try #require(PushServerName(.name(name), port: UInt16(port)))
            #expect(expected.environment == environment)
            #expect(request("CONNECT \(name):\(port) HTTP/1.1") == .tunnel(expected))
            #expect(request("CONNECT \(name.uppercased()).:\(port) HTTP/1.0", "") == .tunnel(expected))
        }
        #expect(PushServerName.all.count == 3)
    }

    @Test(arguments: [
        "api.push.apple.com:80", "push.apple.com:443", "api.push.apple.com.example.com:443", "17.188.168.10:443",
        "[2620:149:af0::1]:443", "localhost:8443",
    ])
    func `no other name, address or port has a tunnel`(server: String) throws {
        let place = try #require(ListenerPlace(server))
        let refusal = TapRefusal.otherServer(place.place, port: place.port)
        #expect(request("CONNECT \(server) HTTP/1.1") == .refused(refusal))
        #expect(refusal.message == "\(server) is none of Apple's push servers, and the tap leads nowhere else")
        #expect(refusal.response.hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
    }

    @Test(arguments: [
        "CONNECT api.push.apple.com HTTP/1.1", "CONNECT api.push.apple.com:0 HTTP/1.1",
        "CONNECT api.push.apple.com:443", "CONNECT  api.push.apple.com:443 HTTP/1.1", "CONNECT :443 HTTP/1.1",
        "CONNECT api.push.apple.com:443 HTTP/2", "CONNECT api push.apple.com:443 HTTP/1.1", "",
        "CONNECT user@api.push.apple.com:443 HTTP/1.1", "\u{16}\u{3}\u{1}",
    ])
    func `a line that can be read in two ways is refused`(line: String) {
        #expect(request(line) == .refused(.malformed))
    }

    @Test(arguments: ["GET http://api.push.apple.com/ HTTP/1.1", "POST /3/device/00 HTTP/1.1"])
    func `a request that is no tunnel hears which there is`(line: String) {
        #expect(request(line) == .refused(.method))
        #expect(TapRefusal.method.response.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\nAllow: CONNECT\r\n"))
    }

    @Test func `an answer says how long it is, and ends the connection`() throws {
        let response = TapRefusal.noListener(.development).response
        let parts = response.split(separator: "\r\n\r\n", maxSplits: 1)
        #expect(parts.last == "extension-host tap: the tap was started without --development\n")
        let length = try #require(parts.last?.utf8.count)
        #expect(
            parts.first == """
                HTTP/1.1 502 Bad Gateway\r
                Content-Type: text/plain; charset=utf-8\r
                Content-Length: \(length)\r
                Connection: close
                """
        )
    }

    @Test(arguments: [
        ("127.0.0.1:8443", "127.0.0.1", 8443), ("[::1]:1", "::1", 1),
        ("Push.Example.com.:65535", "push.example.com", 65535),
    ])
    func `a listener is a host and a port`(text: String, host: String, port: Int) throws {
        let place = try #require(ListenerPlace(text))
        #expect(place.host == host)
        #expect(Int(place.port) == port)
        #expect(ListenerPlace("\(place)") == place)
    }

    @Test(arguments: ["", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "::1:443", "a b:1", "0x7f.1:1"])
    func `what is no host and port is nil`(text: String) {
        #expect(ListenerPlace(text) == nil)
    }
}
