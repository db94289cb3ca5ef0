// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import E2ECrypto

/// The files that `Tests/Vectors/make-attachments.py`, a second implementation, has written.
struct AttachmentVectorTests {
    static let files: [VectorFile] = {
        let folder = PackageRoot.url.appending(path: "Tests/Vectors/attachments")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().compactMap { try? VectorFile(folder.appending(path: $0)) }
    }()

    private static let isLarge: @Sendable (VectorFile) -> Bool = { $0.value("header") != nil }

    @Test func `all vectors are here`() {
        #expect(Self.files.count == 59)
        #expect(Self.files.count { $0.value("expect") == "opens" } == 12)
        #expect(Self.files.count(where: Self.isLarge) == 5)
    }

    @Test(arguments: files.filter { !isLarge($0) })
    func `a vector does what it expects`(_ vector: VectorFile) throws {
        let folder = try TemporaryFolder()
        let sealed = try folder.write("sealed", Array(try #require(Data(base64Encoded: vector.text))))
        do throws(AttachmentError) {
            let entry = try AttachmentEntry(parsing: Array((vector.value("entry") ?? "").utf8).span)
            try Attachment.open(entry, file: sealed, to: folder.path("plain"))
            #expect(vector.value("expect") == "opens")
            let plaintext = vector.values("plaintext").first ?? ""
            #expect((try? folder.read("plain")) == unhex(plaintext))
        } catch {
            #expect(error.vectorText == vector.value("expect"))
            #expect(folder.names == ["sealed"])
        }
    }

    /// The digest stands for the bytes, so this is the other implementation's file.
    @Test(arguments: files.filter(isLarge))
    func `a large file sealed under the vector's key and header is the vector's`(_ vector: VectorFile) throws {
        let entry = try AttachmentEntry(parsing: Array((vector.value("entry") ?? "").utf8).span)
        let header = try #require(unhex(vector.value("header") ?? ""))
        let key = Array(UnsafeBufferPointer(start: entry.key.bytes, count: 32))
        let sealed = try SealedFile(pattern(entry.size), key: key, header: header)
        #expect(sealed.entry.digest == entry.digest)
        #expect(vector.value("sealed-size") == "\(sealed.bytes.count)")
        #expect(entry.sealedByteCount == sealed.bytes.count)
        #expect(try sealed.open(as: entry) == pattern(entry.size))
    }
}

extension AttachmentError {
    /// The error as the `expect` line of a vector writes it.
    var vectorText: String {
        switch self {
        case .malformedEntry: "malformedEntry"
        case .badEntry(let member): "badEntry \(member.rawValue)"
        case .tooLarge(let limit): "tooLarge \(limit)"
        case .wrongSize(let needed, let got): "wrongSize \(needed) \(got)"
        case .badPreamble: "badPreamble"
        case .truncated(let needed, let got): "truncated \(needed) \(got)"
        case .trailingBytes(let end): "trailingBytes \(end)"
        case .notOpened: "notOpened"
        case .wrongDigest: "wrongDigest"
        case .exists, .cancelled, .memory, .system: "\(self)"
        }
    }
}
