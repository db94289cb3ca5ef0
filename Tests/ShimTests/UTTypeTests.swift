// SPDX-License-Identifier: Apache-2.0

import Foundation
import MobileCoreServices
import Testing
import UniformTypeIdentifiers

struct UTTypeTests {
    @Test(arguments: [
        ("jpg", "public.jpeg", "image/jpeg"), ("PNG", "public.png", "image/png"),
        ("gif", "com.compuserve.gif", "image/gif"),
        ("mp4", "public.mpeg-4", "video/mp4"), ("mp3", "public.mp3", "audio/mpeg"),
        ("json", "public.json", "application/json"),
        ("wav", "com.microsoft.waveform-audio", "audio/vnd.wave"), ("pdf", "com.adobe.pdf", "application/pdf"),
    ])
    func `an extension names a type, and the type a MIME type`(
        name: String,
        identifier: String,
        mimeType: String
    ) throws {
        let type = try #require(UTType(filenameExtension: name))
        #expect(type.identifier == identifier)
        #expect(type.preferredMIMEType == mimeType)
        #expect(UTType(mimeType: mimeType) == type)
        #expect(!type.isDynamic)
        #expect(type.isDeclared)
    }

    @Test func `types conform up to the top`() {
        #expect(UTType.jpeg.conforms(to: .image))
        #expect(UTType.jpeg.conforms(to: .jpeg))
        #expect(UTType.jpeg.conforms(to: .data))
        #expect(!UTType.jpeg.conforms(to: .movie))
        #expect(!UTType.jpeg.isSubtype(of: .jpeg))
        #expect(UTType.item.isSupertype(of: .mpeg4Movie))
        #expect(UTType.json.conforms(to: .text))
        #expect(UTType("com.apple.m4a-audio")?.conforms(to: .audio) == true)
    }

    @Test func `an unknown extension gives a dynamic type that remembers it`() throws {
        let type = try #require(UTType(filenameExtension: "Xyzzy"))
        #expect(type.isDynamic)
        #expect(type.preferredFilenameExtension == "xyzzy")
        #expect(type.conforms(to: .data))
        #expect(UTType(type.identifier) == type)
        #expect(UTType(mimeType: "x/y")?.preferredMIMEType == "x/y")
        #expect(UTType(filenameExtension: "") == nil)
    }

    @Test(arguments: ["com.example.unknown", "", "dyn.", "dyn.e", "dyn.e0", "dyn.exy", "dyn.effff", "dyn.z41"])
    func `an identifier that nobody declares is no type`(identifier: String) {
        #expect(UTType(identifier) == nil)
    }

    @Test func `a type conforming to another is looked for among its subtypes`() {
        #expect(UTType(filenameExtension: "mp4", conformingTo: .movie) == .mpeg4Movie)
        #expect(UTType(filenameExtension: "jpg", conformingTo: .movie)?.isDynamic == true)
        #expect(UTType("PUBLIC.JPEG") == .jpeg)
        #expect(UTType(exportedAs: "com.example.chat").identifier == "com.example.chat")
    }

    @Test func `each declared type has declared parents, and none of its own below it`() throws {
        let identifiers = ["public.jpeg", "public.xml", "com.apple.xml-property-list", "public.vcard"]
        for identifier in identifiers {
            let type = try #require(UTType(identifier))
            #expect(!type.supertypes.contains(type))
            for parent in type.supertypes { #expect(UTType(parent.identifier) != nil, "\(parent)") }
        }
    }

    @Test func `a type is coded as its identifier`() throws {
        let data = try JSONEncoder().encode([UTType.png])
        #expect(String(decoding: data, as: UTF8.self) == "[\"public.png\"]")
        #expect(try JSONDecoder().decode([UTType].self, from: data) == [.png])
    }

    @Test func `the functions of before answer the same`() {
        let type = UTTypeCreatePreferredIdentifierForTag(kUTTagClassMIMEType, "image/png" as CFString, nil)
        #expect(type?.takeRetainedValue() as String? == "public.png")
        let name = UTTypeCopyPreferredTagWithClass(kUTTypeJPEG, kUTTagClassFilenameExtension)
        #expect(name?.takeRetainedValue() as String? == "jpeg")
        #expect(UTTypeConformsTo(kUTTypeMPEG4, kUTTypeMovie))
        #expect(UTTypeEqual(kUTTypePNG, "PUBLIC.PNG" as CFString))
        #expect(kUTTypeGIF as String == "com.compuserve.gif")
        #expect(UTTypeCopyPreferredTagWithClass(kUTTypeImage, kUTTagClassMIMEType) == nil)
    }
}
