// SPDX-License-Identifier: Apache-2.0

import E2ECrypto

/// The payload that names the picture, to be sealed as usual once the file at `target` is uploaded to `address`.
func payload(withPicture file: String, sealedTo target: String, address: String) throws -> String {
    let label = try AttachmentLabel(id: "picture", url: address, type: "image/jpeg", name: "door.jpg")
    let entry = try Attachment.seal(file: file, to: target, as: label)
    return #"{"title":"Door","body":"Somebody is there","attachments":[\#(entry.json)]}"#
}
