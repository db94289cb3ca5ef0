// SPDX-License-Identifier: Apache-2.0

import E2ECrypto

/// Opens the picture that an opened payload names, from the file that was downloaded to `path`.
func openPicture(of payload: [UInt8], downloadedTo path: String, to target: String) throws -> Bool {
    let entries = try AttachmentEntry.all(inPayload: payload.span)
    guard let picture = entries.first(where: { $0.label.id == "picture" }) else { return false }
    try Attachment.open(picture, file: path, to: target, sizeLimit: 10 << 20)
    return true
}
