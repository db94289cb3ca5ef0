// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import E2ECrypto

/// Every vector, explained.
struct ExplanationTests {
    @Test(arguments: VectorFile.all)
    func `what opens has no fault, and what does not has a cause and a next step`(_ vector: VectorFile) throws {
        let opener = try vector.opener(in: SecretArena())
        let push = try vector.push
        var refusal: OpenError?
        do throws(OpenError) {
            _ = try opener.open(payload: push, context: vector.context, now: vector.now)
        } catch {
            refusal = error
        }
        let count = opener.replayCount
        let explanation = opener.explain(.push(push), context: vector.context, now: vector.now, refusal: refusal)
        #expect(opener.replayCount == count)
        #expect(explanation.steps.last?.name == "result")
        #expect((explanation.cause == nil) == (refusal == nil))
        #expect(explanation.steps.contains { $0.verdict == .wrong } == (refusal != nil))
        if refusal != nil { #expect(explanation.next != nil) }
        let words = explanation.steps.map { "\($0.found) \($0.wanted ?? "")" }.joined(separator: "\n")
        for text in ["Front door", "Door"] { #expect(!words.contains(text)) }
    }

    @Test func `a paired secret's id is no known sender of a box`() throws {
        let explanation = try explanation(of: "box-paired-sender")
        #expect(explanation.steps.first { $0.name == "sender" }?.verdict == .wrong)
        #expect(explanation.next == "pass the sender's public key with --sender")
    }

    @Test(
        arguments: [
            ("content-array", "it was sealed so, nobody knows by whom; "), ("box-nul", "it is authentic; "),
            (
                "bark-gcm-no-iv",
                #"the secret of the line "bark-gcm: …" differs from the sender's, or the iv or the bytes do"#
            ),
            ("bark-cbc-content-array", #"the secret of the line "bark-cbc: …" differs from the sender's, or the iv"#),
            (
                "home-assistant-tag",
                #"the secret of the line "home-assistant: …" differs from the sender's, or the bytes"#
            ),
        ]
    )
    func `the next step names every cause, and claims no origin that nobody proved`(
        _ name: String,
        _ start: String
    ) throws {
        #expect(try #require(explanation(of: name).next).hasPrefix(start))
    }

    private func explanation(of name: String) throws -> Explanation {
        let vector = try VectorFile.named(name)
        let opener = try vector.opener(in: SecretArena())
        let push = try vector.push
        var refusal: OpenError?
        do throws(OpenError) {
            _ = try opener.open(payload: push, context: vector.context, now: vector.now)
        } catch {
            refusal = error
        }
        return opener.explain(.push(push), context: vector.context, now: vector.now, refusal: refusal)
    }

    @Test func `one error for everything that depends on a secret`() throws {
        let causes = try ["tag", "inner-padding", "inner-type"].map { name in
            let vector = try VectorFile.named(name)
            let opener = try vector.opener(in: SecretArena())
            let push = try vector.push
            return opener.explain(.push(push), context: vector.context, now: vector.now, refusal: .notOpened).cause
        }
        #expect(causes.count == 3)
        #expect(Set(causes) == ["\(OpenError.notOpened)"])
    }

    @Test(
        arguments: [
            (0, "less than a second"), (999, "less than a second"), (1000, "1 second"), (-61_000, "1 minute 1 second"),
            (3_600_000, "1 hour"), (3_660_000, "1 hour 1 minute"), (90_061_000, "1 day 1 hour"),
            (31_536_000_000, "1 year"), (Int64.min, "292471208 years 247 days"),
        ] as [(Int64, String)]
    )
    func `a span is said in its two largest units`(_ milliseconds: Int64, _ words: String) {
        #expect(spanInWords(milliseconds) == words)
    }

    @Test(
        arguments: [
            ("", .empty), (" \n", .empty), ("[1]", .noJSON(.notAnObject)), ("{", .noJSON(.unexpectedEnd)),
            ("{}", .nothingSealed), (#"{"encrypted_data":"AAAA"}"#, .nothingSealed), (#""v1.AAAA""#, .quoted),
            ("\u{FEFF}v1.AAAA", .byteOrderMark), ("curl -d @body.json https://example.com", .wholeRequest(topic: nil)),
            ("[:method POST\napns-topic:\tcom.example.Chat\n", .noJSON(.notAnObject)),
            ("POST /3/device/00 HTTP/2\napns-topic: com.example.chat\n\n{}", .wholeRequest(topic: "com.example.chat")),
            (":method: POST\n> APNS-Topic: com.example.Chat\n", .wholeRequest(topic: "com.example.Chat")),
            ("curl x\napns-topic: $(id)\n", .wholeRequest(topic: nil)),
            ("nse-secret", nil), ("NSE-PSK-1QQ", .secretKey),
            ("nse1jpzzw5x76x3qvc976mmjdw2ks0d0cz058kzuk3tav72u0u9pd4sqkh0cll", .publicKey),
        ] as [(String, InputMistake?)]
    )
    func `an input is taken for what it is`(_ text: String, _ mistake: InputMistake?) throws {
        let bytes = Array(text.utf8)
        do throws(InputMistake) {
            guard case .text(let read) = try SealedInput(bytes.span) else {
                Issue.record("taken for a push")
                return
            }
            #expect(mistake == nil)
            #expect(read == bytes)
        } catch {
            #expect(error == mistake)
        }
    }
}
