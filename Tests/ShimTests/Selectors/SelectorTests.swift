// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostLog
import Testing

@testable import FoundationCompatibility

struct SelectorTests {
    @Test func `a selector is its name`() {
        let literal: Selector = "tapped:"
        #expect(literal == Selector("tapped:") && literal != Selector("tapped"))
        #expect(NSStringFromSelector(literal) == "tapped:" && literal.description == "tapped:")
        #expect(Set([literal, NSSelectorFromString("tapped:")]).count == 1)
        #expect("\(literal)" == "tapped:")
    }

    @Test func `a function gets as many arguments as it has parameters`() {
        let target = Target()
        for (name, expected) in [("none", "none"), ("one:", "one a"), ("two:with:", "two a b"), ("optional:", "opt a")]
        {
            #expect(ObjectiveCNames.send(Selector(name), to: target, ["a", "b"]).text == .done(expected))
        }
    }

    @Test func `a missing argument counts as nil`() {
        let target = Target()
        #expect(ObjectiveCNames.send("optional:", to: target).text == .done("opt -"))
        #expect(
            ObjectiveCNames.send("one:", to: target, [nil]).text
                == .wrongType("argument 1 is nil, expected String")
        )
    }

    @Test func `names are inherited, and a subclass's own go first`() {
        #expect(ObjectiveCNames.send("none", to: Subclass()).text == .done("sub none"))
        #expect(ObjectiveCNames.send("one:", to: Subclass(), ["x"]).text == .done("one x"))
        #expect(Subclass().responds(to: "only") && !Target().responds(to: "only"))
        #expect(!Subclass().responds(to: "never") && !NSObject().responds(to: nil))
    }

    @Test func `a name that nothing has is unknown`() {
        #expect(ObjectiveCNames.send("never", to: Target()).text == .unknownName)
    }

    @Test func `perform gives the result as an object`() {
        let target = Target()
        #expect(target.perform("one:", with: "x")?.takeUnretainedValue() as? String == "one x")
        #expect(target.perform("two:with:", with: "x", with: "y")?.takeUnretainedValue() as? String == "two x y")
        #expect(target.perform("number")?.takeUnretainedValue() as? Int == 7)
        #expect(target.perform("void") == nil)
        #expect(target.calls == 1)
    }

    @Test func `results of a thread outlive some calls`() {
        let results = (0..<8).map { _ in Target().perform("fresh") }
        #expect(results.map { $0?.takeUnretainedValue() is Target } == Array(repeating: true, count: 8))
    }
}

extension LogTests {
    struct SelectorLogTests {
        @Test func `a call with a wrong type is not made and named`() {
            let target = Target()
            let lines = recordingLog {
                #expect(
                    ObjectiveCNames.send("slid:", to: target, [NSObject()]).text
                        == .wrongType("argument 1 is of type NSObject, expected Target")
                )
            }
            #expect(target.calls == 0)
            #expect(
                lines == [
                    Line(
                        level: .notice,
                        message:
                            "selector \"slid:\" of Target: argument 1 is of type NSObject, expected Target; nothing "
                            + "was done"
                    )
                ]
            )
        }

        @Test func `a name that nothing has is named`() {
            let lines = recordingLog { _ = Target().perform("neverAnywhere") }
            #expect(lines.map(\.message) == ["Target has no function \"neverAnywhere\": nothing was called"])
        }

        @Test func `an outlet that is not there, or of another type, is named`() {
            let target = Target()
            let lines = recordingLog {
                #expect(ObjectiveCNames.setOutlet("missing", of: target, to: nil).text == .unknownName)
                #expect(
                    ObjectiveCNames.setOutlet("logo", of: target, to: "text").text
                        == .wrongType("argument 1 is of type String, expected Optional<Target>")
                )
            }
            #expect(
                lines.map(\.message) == [
                    "Target has no outlet \"missing\"",
                    "outlet \"logo\" of Target: argument 1 is of type String, expected Optional<Target>; nothing "
                        + "was done",
                ]
            )
        }
    }
}

struct OutletTests {
    @Test func `outlets are set, also a superclass's, a list and nil`() {
        let (target, logo) = (Subclass(), Target())
        #expect(ObjectiveCNames.setOutlet("logo", of: target, to: logo).text == .done(nil))
        #expect(target.logo === logo)
        #expect(ObjectiveCNames.setOutlet("list", of: target, to: [logo, Subclass()] as [NSObject]).text == .done(nil))
        #expect(target.list?.count == 2)
        #expect(ObjectiveCNames.setOutlet("logo", of: target, to: nil).text == .done(nil))
        #expect(target.logo == nil)
    }
}

/// The outcome with its result as text, to compare.
enum TextOutcome: Equatable {
    case done(String?), unknownName, wrongType(String), later
}

extension ObjectiveCNames.Outcome {
    var text: TextOutcome {
        switch self {
        case .done(let result): .done(result.map { "\($0)" })
        case .unknownName: .unknownName
        case .wrongType(let reason): .wrongType(reason)
        case .later: .later
        }
    }
}
