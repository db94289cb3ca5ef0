// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterProtocol
import ExtensionBuild
import Foundation
import Logging
import NotificationPayload
import SceneModel
import Testing
import WorkerProtocol
import WorkerSupervisor

@testable import ExtensionHost

/// Reports of `view` for programs, and its options that go together.
struct ViewReportTests {
    @Test func `steps and expectations are test cases, and what comes behind a failure is skipped`() {
        var outcome = ViewOutcome(name: "p.json")
        let line = ExtensionLog.Line(level: .notice, isOutput: false, text: "a < b")
        outcome.cases = [
            ViewCase(name: "open", verdict: .passed, duration: .microseconds(12_345), lines: [line]),
            ViewCase(
                name: "tap \"Fly\"",
                verdict: .failed(CommandError("the scene has no control \"Fly\"", hint: "look & see")),
                duration: .milliseconds(2)
            ),
            ViewCase(name: "expect image.a=1", verdict: .skipped),
        ]
        #expect(
            JUnitReport(suite: "com.example.chat", outcomes: [outcome]).xml == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites>
                <testsuite name="com.example.chat" tests="3" failures="1" errors="0" skipped="1" time="0.014">
                <testcase classname="com.example.chat" name="open" time="0.012">
                <system-out>a &lt; b</system-out>
                </testcase>
                <testcase classname="com.example.chat" name="tap &quot;Fly&quot;" time="0.002">
                <failure message="the scene has no control &quot;Fly&quot;; look &amp; see" type="view"/>
                </testcase>
                <testcase classname="com.example.chat" name="expect image.a=1" time="0.0">
                <skipped/>
                </testcase>
                </testsuite>
                </testsuites>

                """
        )
    }

    @Test func `each payload is a suite of its own`() {
        let outcomes = ["a.json", "b&c.json"].map { ViewOutcome(name: $0) }
        let suites = JUnitReport(suite: "com.example.chat", outcomes: outcomes).xml.split(separator: "\n")
            .filter { $0.hasPrefix("<testsuite ") }
        #expect(
            suites == [
                #"<testsuite name="com.example.chat a.json" tests="0" failures="0" errors="0" skipped="0" time="0.0">"#,
                #"<testsuite name="com.example.chat b&amp;c.json" tests="0" failures="0" errors="0" skipped="0" time="0.0">"#,
            ]
        )
    }

    @Test func `a state is one object, with the end once there is one`() throws {
        var course = ViewCourse()
        let node = SceneNode(id: 1, up: 0, .text(SceneText([SceneText.Run("Hi")])))
        try course.take(.scene(SceneUpdate(acknowledged: 3, set: [node], calls: [.mediaStarted])))
        #expect(
            String(decoding: course.json(step: 3).serialized, as: UTF8.self)
                == #"{"step":3,"scene":{"set":[{"id":1,"k":"text","up":0,"text":"Hi"}]},"calls":["mediaStarted"]}"#
        )
        try course.take(.ended(.dismissed))
        #expect(course.json(step: 3)["ended"] == "dismissed")
        let step = ViewStep(.tap("Fly"))
        #expect(course.failure(before: step) == CommandError("the view ended as dismissed before tap \"Fly\""))
    }

    @Test func `a view is behind its event until it has said what becomes of it`() throws {
        var course = ViewCourse()
        let response = ViewWord.event(.response(ViewResponse(number: 7, action: "like")))
        try course.take(.scene(SceneUpdate(acknowledged: 1)))
        #expect(course.isBehind(1, response))
        try course.take(.scene(SceneUpdate(calls: [.option(.doNotDismiss, response: 7)])))
        #expect(!course.isBehind(1, response))
        #expect(course.isBehind(2, .event(.media(.play))))
        #expect(course.isBehind(nil, .event(.media(.play))))
        try course.take(.scene(SceneUpdate(acknowledged: 2, calls: [.dismiss])))
        #expect(course.isBehind(2, .event(.media(.play))))
    }

    @Test(
        arguments: [
            (["X.appex"], "missing expected argument"),
            (["X.appex", "a.json", "b.json", "--scene", "s.json"], "--scene is for one payload"),
            (["X.appex", "a.json", "b.json", "--steps", "s.json"], "--steps is for one payload"),
            (["X.appex", "-", "--steps", "-"], "standard input is the payload or the steps, not both"),
            (["X.appex", "-", "--watch", "Sources"], "standard input only once"),
            (["X.appex", "a.json", "--steps", "-", "--watch", "Sources"], "standard input only once"),
            (["X.appex", "a.json", "--format", "xml"], "--format"),
        ]
    )
    func `options that do not go together are a usage error`(words: [String], text: String) {
        do {
            _ = try ViewCommand.parse(words)
            Issue.record("it was taken")
        } catch {
            let message = ViewCommand.message(for: error)
            #expect(message.lowercased().contains(text), "\(message)")
        }
    }

    @Test func `a watch is of all files that are read, and not of those that are written`() throws {
        let words = [
            "X.appex", "a.json", "b.json", "--attachment", "c.png", "--attachment", "d.mp4", "--junit", "e.xml",
            "--watch", "Sources",
        ]
        #expect(
            try ViewCommand.parse(words).sourceWatch?.paths == ["Sources", "a.json", "b.json", "c.png", "d.mp4"]
        )
        #expect(try ViewCommand.parse(words).sourceWatch?.results == ["e.xml"])
        let stepped = [
            "X.appex", "a.json", "--steps", "s.ndjson", "--scene", "f.json", "--state", "state", "--watch", "Sources",
        ]
        #expect(try ViewCommand.parse(stepped).sourceWatch?.paths == ["Sources", "a.json", "s.ndjson"])
        #expect(try ViewCommand.parse(stepped).sourceWatch?.results == ["f.json", "state"])
        #expect(try ViewCommand.parse(["X.appex", "a.json"]).sourceWatch?.paths == nil)
    }

    @Test func `the steps of the command line keep their order over all options`() throws {
        let words = ["X.appex", "a.json", "--tap", "a", "--set", "b=1", "--tap", "c", "--respond", "d=e"]
        let command = try ViewCommand.parse(words)
        let steps = (command.tap + command.set + command.respond).sorted { $0.place < $1.place }
        #expect(steps.map(\.text) == ["tap \"a\"", "set b=1", "tap \"c\"", "respond d"])
    }
}
