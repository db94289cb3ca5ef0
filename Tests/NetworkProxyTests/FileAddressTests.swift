// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Testing

@testable import NetworkProxy

/// The texts that are read as the address of a file, and those that are none.
struct FileAddressTests {
    @Test(
        arguments: [
            ("https://a.example/1?q=%20#", nil), ("https://a.example/1?q", "a.example:443 a.example /1?q"),
            ("HTTPS://A.Example.:443", "a.example:443 a.example /"),
            ("https://a.example?x", "a.example:443 a.example /?x"),
            ("https://a.example:8443/a//b", "a.example:8443 a.example:8443 /a//b"),
            ("https://127.0.0.1/x", "127.0.0.1:443 127.0.0.1 /x"), ("https://[::1]:1/x", "[::1]:1 [::1]:1 /x"),
            ("http://a.example/", nil), ("a.example/", nil), ("https:/a.example/", nil), ("https://", nil),
            ("https://u@a.example/", nil), ("https://a.example:0/", nil), ("https://a.example:/", nil),
            ("https://a.example\\@b.example/", nil), ("https://2130706433/", nil), ("https://0x7f.1/", nil),
            ("https://a.example/ HTTP/1.1", nil), ("https://a.example/\r\nHost: b", nil), ("https://a.example/é", nil),
            ("https://[::1%25lo]/", nil), ("https://a..example/", nil), ("ftp://a.example/", nil),
        ] as [(String, String?)]
    )
    func `an address is https, a host, and what is asked of it`(text: String, read: String?) {
        let address = FileAddress(text)
        #expect(address.map { "\($0.target.place):\($0.target.port) \($0.authority) \($0.path)" } == read)
        #expect(address == nil || address?.target.scheme == .https)
    }

    @Test func `a long address is none`() {
        let start = "https://a.example/"
        #expect(FileAddress(start + String(repeating: "a", count: 2048 - start.count)) != nil)
        #expect(FileAddress(start + String(repeating: "a", count: 2049 - start.count)) == nil)
    }

    @Test func `the limits are those of network.md`() {
        let limits = NetworkProxy.Limits()
        #expect(limits.connections == 8)
        #expect(limits.upByteCount == 1 << 20)
        #expect(limits.downByteCount == 64 << 20)
        #expect(limits.headByteCount == 8 << 10)
        #expect(limits.connect == .seconds(10))
        #expect(limits.files == 8)
    }
}
