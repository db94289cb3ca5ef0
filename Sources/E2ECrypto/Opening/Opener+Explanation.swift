// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

extension Opener {
    /// The facts beside the policy and the keys that an explanation uses.
    package struct Circumstances: Sendable {
        /// Keys that were deleted from the key files, and when, in Unix milliseconds.
        package var pruned: [KeyID: Int64]

        package init(pruned: [KeyID: Int64] = [:]) {
            self.pruned = pruned
        }
    }

    /// Explains the result of `open` for `input` in `context` at `now`; a `refusal` of `nil` means that it opened.
    ///
    /// Takes nothing for opened: the set of payloads seen stays as it is.
    package func explain(
        _ input: SealedInput,
        context: PushContext,
        now: Int64,
        refusal: OpenError?,
        _ circumstances: Circumstances = Circumstances()
    ) -> Explanation {
        var inquiry = Inquiry(opener: self, context: context, now: now, refusal: refusal, circumstances)
        inquiry.follow(input)
        return inquiry.explanation
    }
}

/// Walks the steps of FORMAT.md, "Opening", and says at each what was wanted and what was found.
struct Inquiry {
    let opener: Opener
    let context: PushContext
    let now: Int64
    let refusal: OpenError?
    let circumstances: Opener.Circumstances
    var explanation = Explanation()
    /// The sealed text as it stood in `field`.
    var text: [UInt8] = []
    var field = SealedField.encryptedContent
    var iv: String?

    init(
        opener: Opener,
        context: PushContext,
        now: Int64,
        refusal: OpenError?,
        _ circumstances: Opener.Circumstances
    ) {
        self.opener = opener
        self.context = context
        self.now = now
        self.refusal = refusal
        self.circumstances = circumstances
    }

    var keys: OpenerKeys { opener.keys }
    var accept: Set<SealFormat> { keys.policy.accept }

    mutating func follow(_ input: SealedInput) {
        guard take(input) else { return }
        let format: any SealedFormat.Type
        do throws(OpenError) {
            format = try SealedSummary.format(of: text.span, in: field, accept: accept)
        } catch {
            explainUnknownFormat()
            return
        }
        guard accept.contains(format.format) else {
            explanation.add("format", "found \(format.format)", wanted: acceptedNames, .wrong)
            explanation.conclude(
                "format \(format.format) is not accepted",
                "pass --accept \(format.format), as the host's policy has to list it too"
            )
            return
        }
        explanation.add("format", "found \(format.format)", wanted: acceptedNames)
        guard let summary = look(format) else { return }
        describe(summary)
        describeOutcome(of: summary, format)
    }

    // MARK: What was given

    /// False when there is nothing to look at further.
    private mutating func take(_ input: SealedInput) -> Bool {
        switch input {
        case .text(let text):
            self.text = text
            explanation.add("input", "a bare text of \(text.count) characters")
        case .push(let payload):
            explanation.add("input", "a JSON body with \(names(of: payload.object))")
            guard let field = SealedField.first(in: payload.object, among: keys.fields) else {
                explainOtherField(in: payload.object)
                return false
            }
            guard case .string(let text)? = field.value(in: payload.object) else {
                explanation.add("field", "found \"\(field.rawValue)\", which is none", wanted: "a text", .wrong)
                explanation.conclude(
                    "\"\(field.rawValue)\" is no text",
                    "write the sealed text there, as a JSON string"
                )
                return false
            }
            self.field = field
            self.text = Array(text.utf8)
            iv = payload["iv"]?.string
            explanation.add("field", "\"\(field.rawValue)\", a text of \(self.text.count) characters")
        }
        return true
    }

    private func names(of object: JSONObject) -> String {
        let names = object.members.prefix(8).map { "\"\($0.key)\"" }
        return names.joined(separator: ", ") + (object.count > names.count ? " and more" : "")
    }

    private mutating func explainOtherField(in object: JSONObject) {
        let field = SealedField.first(in: object, among: Set(SealedField.allCases))
        let names = SealedFormats.all.filter { $0.field == field }.map { $0.format.rawValue }
        explanation.add("field", "found \"\(field?.rawValue ?? "")\"", wanted: "that of \(acceptedNames)", .wrong)
        explanation.conclude(
            "\"\(field?.rawValue ?? "")\" belongs to a format that is not accepted",
            "pass --accept \(names.joined(separator: " or --accept "))"
        )
    }

    // MARK: Format and text

    var acceptedNames: String {
        SealFormat.allCases.filter { accept.contains($0) }.map(\.rawValue).joined(separator: " or ")
    }

    private mutating func explainUnknownFormat() {
        if case .tooLarge(let limit, let got)? = refusal {
            explanation.add("text", "found \(got) characters", wanted: "at most \(limit)", .wrong)
            explanation.conclude("\(OpenError.tooLarge(limit: limit, got: got))", "no push is as long as this")
            return
        }
        let prefix = text.prefix { $0 != UInt8(ascii: ".") }
        if let first = text.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "\"") {
            let what = first == UInt8(ascii: "{") ? "a JSON body" : "a text in quotes"
            explanation.add("format", "found \(what)", wanted: acceptedNames, .wrong)
            explanation.conclude(
                "\"\(field.rawValue)\" holds \(what) in place of a sealed text",
                "it was turned into JSON twice; write the sealed text there as it is"
            )
            return
        }
        let isWord = prefix.count <= 16 && prefix.allSatisfy { (0x21...0x7E).contains($0) }
        let name = isWord ? "\"\(String(decoding: prefix, as: UTF8.self)).\"" : "something else before the dot"
        explanation.add("format", "found \(name)", wanted: acceptedNames, .wrong)
        explanation.conclude(
            "this is no known format: it begins with \(name)",
            "known are \(SealFormat.allCases.map(\.rawValue).joined(separator: ", ")); ask the sender for one of them"
        )
    }

    /// Explains the text, and returns the facts that anyone can see; `nil` if the text breaks a rule of its format.
    private mutating func look(_ format: any SealedFormat.Type) -> SealedSummary? {
        do throws(OpenError) {
            let summary = try unsafe SealedSummary(format, decoding: text.span, into: keys.workspace.ciphertext)
            explanation.add("text", "\(text.count) characters, no defect")
            return summary
        } catch .malformedText(let offset) {
            let defect = TextDefect(in: text, at: offset)
            explanation.add("text", "found \(defect)", wanted: "base64 of \(format.format)", .wrong)
            explanation.conclude("the sealed text is malformed: \(defect)", defect.next)
        } catch {
            explanation.add("text", "\(text.count) characters, no defect")
            explainShape(error)
        }
        return nil
    }

    private mutating func explainShape(_ error: OpenError) {
        switch error {
        case .tooShort(let needed, let got):
            explanation.add("length", "found \(got) bytes", wanted: "at least \(needed)", .wrong)
            explanation.conclude("\(error)", "copy the text again, to its end")
        case .unsupportedVersion(let kind):
            explanation.add("length", "enough")
            explanation.add("kind", "found \(kind)", wanted: "1", .wrong)
            explanation.conclude("\(error)", "the sender is newer than this program, or the text is no envelope")
        case .unknownFlags(let flags):
            explanation.add("flags", "found \(flags)", wanted: "psk, collapse-id, request-id", .wrong)
            explanation.conclude("\(error)", "the sender is newer than this program, or the text is no envelope")
        default:
            explanation.conclude("\(error)", "the sender has to write one record, no longer than it says")
        }
    }
}
