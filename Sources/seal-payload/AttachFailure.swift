// SPDX-License-Identifier: Apache-2.0

import E2ECrypto

/// The messages about an attachment that was not sealed or not opened.
extension Failure {
    /// `source` is what messages call the file that is read, `target` the path of the one that is made.
    init(_ error: AttachmentError, source: String, target: String) {
        let otherFile = "pass the file that was sealed with this entry; it may have been changed on its way"
        switch error {
        case .exists:
            self = .refused("\"\(target)\" exists already", hint: "nothing is overwritten; name another file with -o")
        case .system(.target, _):
            self = .refused("\"\(target)\": \(error)")
        case .system(.source, _):
            self = .refused("\(source): \(error)")
        case .tooLarge(let limit):
            self = .refused("\(source) is larger than \(limit) bytes")
        case .wrongSize(let needed, let got):
            self = .refused("\(source) has \(got) bytes, its entry says \(needed)", hint: otherFile)
        case .truncated(let needed, let got):
            self = .refused("\(source) ends after \(got) of \(needed) bytes", hint: otherFile)
        case .trailingBytes(let end):
            self = .refused("\(source) goes on after its end at \(end)", hint: otherFile)
        case .badPreamble:
            self = .refused(
                "\(source) is no sealed attachment",
                hint: "pass the file that \"seal-payload attach\" wrote"
            )
        case .notOpened:
            self = .refused("\(source) is not opened: another entry's file, or changed on its way", hint: otherFile)
        case .wrongDigest:
            self = .refused("\(source) is not the file of its entry", hint: otherFile)
        case .memory(let memory):
            self.init(memory)
        case .malformedEntry, .badEntry, .cancelled:
            self = .refused("\(error)")
        }
    }

    /// An entry that was to be read.
    init(entryError error: AttachmentError, _ name: String) {
        let hint = "pass the line that \"seal-payload attach\" printed"
        switch error {
        case .malformedEntry:
            self = .refused("\(name) is no entry of an attachment", hint: hint)
        case .badEntry(let member):
            self = .refused("\(name): \"\(member.rawValue)\" of the entry is missing or not valid", hint: hint)
        case .tooLarge(let limit):
            self = .refused("\(name): \"size\" of the entry is over \(limit) bytes")
        case .wrongSize, .badPreamble, .truncated, .trailingBytes, .notOpened, .wrongDigest, .exists, .cancelled,
            .memory, .system:
            self = .refused("\(name): \(error)")
        }
    }

    /// An option that was to go into an entry.
    init(labelError error: AttachmentError) {
        guard case .badEntry(let member) = error else {
            self = .usage("\(error)")
            return
        }
        let rule: String? =
            switch member {
            case .id: "it has 1 to 255 bytes and no control characters"
            case .url: "it has at most 2048 printable ASCII characters and no space"
            case .type: "it has at most 127 printable ASCII characters, as in image/jpeg"
            case .name: "it is a file name of at most 255 bytes, without \"/\" and control characters"
            case .size, .key, .digest: nil
            }
        self = .usage("--\(member.rawValue) is not valid", hint: rule)
    }
}
