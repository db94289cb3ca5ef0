// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import SceneModel
import Testing
import UserNotificationsUI

@testable import UIKit

/// A controller from its notification to its end, as its host hears it.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct ControllerTests {
    private func bench(ratio: Double = 1) -> (ControllerBench, SliderController) {
        let controller = SliderController()
        return (ControllerBench(ratio: ratio) { controller }, controller)
    }

    @Test func `the first scene has what the controller laid out, in the height that its constraints say`() throws {
        let (bench, controller) = bench(ratio: 0.6)
        #expect(bench.updates.count == 1)
        #expect(bench.texts == ["Alice"])
        // 10 + 21 + 10 + 100 + 10 + 31 + 10
        #expect(bench.updates[0].size == SceneSize(360, 192))
        #expect(try bench.node(.text).frame?.x == 16)
        #expect(try bench.node(.text).frame?.y == 10)
        #expect(try bench.node(.slider).frame == SceneFrame(16, 151, 328, 31))
        #expect(bench.tree.inOrder[0].frame == nil)
        #expect(controller.view.frame == CGRect(x: 0, y: 0, width: 360, height: 192))
    }

    @Test func `a controller lives as on iOS`() {
        let (bench, controller) = bench()
        #expect(controller.life == ["load", "willAppear", "layout", "didAppear", "receive", "layout"])
        bench.close()
        #expect(controller.life.suffix(2) == ["willDisappear", "didDisappear"])
    }

    @Test func `a moved slider sends one node with the opacity it was moved to`() throws {
        let (bench, _) = bench()
        let slider = try bench.node(.slider)
        let update = try #require(bench.take(.node(slider.id, .value(.number(0.342)))))
        #expect(update.acknowledged == 1)
        let picture = try #require(update.set.first { $0.kind == .view })
        #expect(picture.style.opacity == 0.342)
        #expect(update.set.count <= 2)
        #expect(update.body.serialized.count <= 400)
    }

    @Test func `an opacity alone solves no equations`() throws {
        let (bench, controller) = bench()
        let before = LayoutPass.solvedCount
        controller.picture.alpha = 0.5
        let slider = try bench.node(.slider)
        bench.take(.node(slider.id, .value(.number(0.5))))
        #expect(LayoutPass.solvedCount == before)
    }

    @Test func `preferredContentSize is the height of the box, up to its bound`() throws {
        let (bench, controller) = bench()
        let slider = try bench.node(.slider)
        controller.preferredContentSize = CGSize(width: 0, height: 333)
        #expect(bench.take(.node(slider.id, .press))?.size == SceneSize(360, 333))
        controller.preferredContentSize = CGSize(width: 0, height: 10_000)
        #expect(bench.take(.node(slider.id, .release))?.size == SceneSize(360, 720))
    }

    @Test func `a newer notification goes to the same controller`() throws {
        let (bench, controller) = bench()
        let update = try #require(bench.show(title: "Bob"))
        #expect(update.set.map(\.kind.texts) == [["Bob"]])
        #expect(controller.life.filter { $0 == "receive" }.count == 2)
        #expect(update.size == nil)
    }

    @Test func `title, buttons and requests are told once`() throws {
        let (bench, controller) = bench()
        let slider = try bench.node(.slider)
        controller.title = "A title"
        controller.extensionContext?.notificationActions = [UNNotificationAction(identifier: "like", title: "Like")]
        controller.extensionContext?.performNotificationDefaultAction()
        let update = try #require(bench.take(.node(slider.id, .press)))
        #expect(update.title == "A title")
        #expect(update.body["actions"] == [["identifier": "like", "title": "Like", "options": []]])
        #expect(update.calls == [.defaultAction])
        controller.extensionContext?.dismissNotificationContentExtension()
        #expect(bench.take(.node(slider.id, .release)) == SceneUpdate(acknowledged: 2, calls: [.dismiss]))
    }

    @Test func `a response is decided on once`() async throws {
        let (bench, controller) = bench()
        controller.decide = { response, completion in
            #expect(response.actionIdentifier == "like")
            completion(.doNotDismiss)
            completion(.dismiss)
        }
        bench.take(.response(ViewResponse(number: 7, action: "like")))
        try await bench.until(3)
        #expect(bench.updates.last?.calls == [.option(.doNotDismiss, response: 7)])
    }

    @Test func `the button that plays stands where the extension wants it`() throws {
        let (bench, controller) = bench()
        let slider = try bench.node(.slider)
        controller.mediaPlayPauseButtonType = .overlay
        controller.slider.isEnabled = false
        let update = bench.take(.node(slider.id, .press))
        #expect(update?.mediaButton?.kind == .overlay)
        #expect(update?.mediaButton?.frame == SceneFrame(10, 20, 44, 44))
        #expect(bench.take(.media(.play))?.calls == [.mediaStarted])
        #expect(bench.take(.media(.pause))?.calls == [.mediaPaused])
    }

    @Test func `another width lays the views out anew`() throws {
        let (bench, controller) = bench()
        var environment = ViewEnvironment()
        environment.width = 300
        let update = try #require(bench.take(.environment(environment)))
        // The height is as it was, and the width is the page's.
        #expect(update.size == nil)
        #expect(try bench.node(.slider).frame == SceneFrame(16, 151, 268, 31))
        #expect(controller.view.bounds.width == 300)
    }

    @Test func `right to left mirrors what is said by leading and trailing`() throws {
        let (bench, _) = bench()
        var environment = ViewEnvironment()
        environment.direction = .rightToLeft
        bench.take(.environment(environment))
        let frame = try #require(try bench.node(.text).frame)
        #expect(frame.x + frame.width == 344)
        bench.take(.environment(ViewEnvironment()))
    }
}
