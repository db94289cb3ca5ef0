// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

/// The member of a payload that carries the sealed content.
struct SealedFieldTests {
    private static let every = Set(SealedField.allCases)

    @Test(
        arguments: [
            ("v1", .encryptedContent), ("sealed-box", .encryptedContent), ("box", .encryptedContent),
            ("web-push", .encryptedContent), ("home-assistant", .encryptedData), ("bark-gcm", .ciphertext),
            ("bark-cbc", .ciphertext), ("v9", nil),
        ] as [(String, SealedField?)]
    )
    func `a format comes in one field`(name: String, field: SealedField?) {
        #expect(SealFormatName(rawValue: name)?.field == field)
    }

    @Test func `encrypted-content counts whatever an app accepts`() {
        #expect(SealedField.fields(of: []) == [.encryptedContent])
        #expect(SealedField.fields(of: [.barkCBC]) == [.encryptedContent, .ciphertext])
        #expect(SealedField.fields(of: [.v1, .homeAssistant, .barkGCM]) == Self.every)
    }

    @Test(
        arguments: [
            (#"{"encrypted-content":"v1.AA"}"#, .encryptedContent),
            (#"{"encrypted-content":null}"#, .encryptedContent),
            (#"{"encrypted-content":{},"encrypted":true,"encrypted_data":"AA","ciphertext":"AA"}"#, .encryptedContent),
            (#"{"encrypted":true,"encrypted_data":"AA","ciphertext":"AA"}"#, .encryptedData),
            (#"{"encrypted":true,"encrypted_data":7}"#, .encryptedData),
            (#"{"encrypted":false,"encrypted_data":"AA"}"#, nil),
            (#"{"encrypted":1,"encrypted_data":"AA"}"#, nil),
            (#"{"encrypted":"true","encrypted_data":"AA"}"#, nil),
            (#"{"encrypted_data":"AA"}"#, nil),
            (#"{"encrypted_data":"AA","ciphertext":"AA"}"#, .ciphertext),
            (#"{"ciphertext":"AA","iv":"1111111111111111"}"#, .ciphertext),
            (#"{"aps":{"encrypted-content":"v1.AA"}}"#, nil),
            (#"{"Encrypted-Content":"v1.AA"}"#, nil),
            (#"{}"#, nil),
        ] as [(String, SealedField?)]
    )
    func `the first field that counts is where a payload is sealed`(text: String, field: SealedField?) throws {
        let payload = try JSONObject(parsing: Array(text.utf8).span)
        #expect(SealedField.first(in: payload, among: Self.every) == field)
    }

    @Test func `a field of a format nobody accepts is clear content`() {
        let payload: JSONObject = ["encrypted": true, "encrypted_data": "AA", "ciphertext": "AA"]
        #expect(SealedField.first(in: payload, among: [.encryptedContent]) == nil)
        #expect(SealedField.first(in: payload, among: [.encryptedContent, .ciphertext]) == .ciphertext)
        #expect(SealedField.first(in: ["encrypted-content": "v1.AA"], among: []) == nil)
    }
}
