// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import FoundationCompatibility
import HostLog
import Locking
package import SceneModel
package import UIKit
package import UserNotificationsUI
package import ViewSession

/// A content extension's controller with its window: made, laid out and drawn as iOS does it.
///
/// The box has the height that `UNNotificationExtensionInitialContentSizeRatio` says at first. It follows
/// `preferredContentSize` where that is set, or else what the constraints need where they tie top and bottom to what is
/// between them.
@MainActor package final class ControllerContent: ViewContent {
    package typealias Controller = UIViewController & UNNotificationContentExtension

    /// Points.
    private static let greatestHeight = 800.0
    /// A controller that is told of a height may want another one by that, but not without an end.
    private static let heightRoundCount = 4

    private let controller: any Controller
    private let window: UIWindow
    private let requests: ViewRequests
    private var files: SceneFiles
    private var pictures: PictureFiles
    private var height: Double
    /// The title and the button for media as they were said last.
    private var title: String?
    private var mediaButton: SceneMediaButton?

    /// Makes the controller, shows its view, and hands it the notification.
    package init(
        _ makeController: @MainActor () -> any Controller,
        _ notification: UNNotification,
        _ environment: ViewEnvironment,
        scratch: String?,
        ratio: Double = ContentExtensionInformation.main.initialSizeRatio,
        _ requests: ViewRequests
    ) {
        self.requests = requests
        files = SceneFiles(in: scratch)
        pictures = PictureFiles(in: scratch)
        Surroundings.environment = environment
        height = min(ratio * environment.width, Self.greatestHeight(environment)).toHalf
        window = UIWindow(frame: CGRect(x: 0, y: 0, width: environment.width, height: height))
        controller = makeController()
        let context = NSExtensionContext()
        context.door = Door(requests)
        controller.take(context)
        // Each drawing that begins lets pictures go that it does not name, so one begins only with something to draw.
        window.show(begin: { [weak self] in self?.files.begin() }, wake: { requests.drawAnew() })
        window.setFiles(
            pictures: { [weak self] image in self?.number(of: image) },
            media: { [weak self] url in self?.files.number(of: url) }
        )
        window.rootViewController = controller
        controller.appear()
        controller.didReceive(notification)
    }

    package func draw(in environment: ViewEnvironment, into update: inout SceneUpdate) {
        takeHeight(environment)
        (update.set, update.gone) = window.draw(in: environment) { [weak self] image in self?.number(of: image) }
        update.files = files.takeNew()
        if let motion = window.takeMotion(), !update.set.isEmpty || !update.gone.isEmpty { update.motion = motion }
        say(environment, in: &update)
    }

    package var hasSteps: Bool { window.hasSteps }

    /// Gives a picture the number under which nodes name it; `nil` for one that cannot be shown.
    private func number(of image: UIImage) -> UInt32? {
        pictures.file(of: image).flatMap { files.number(of: $0) }
    }

    /// Says what stands beside the nodes, where it has changed.
    private func say(_ environment: ViewEnvironment, in update: inout SceneUpdate) {
        update.size = saidHeight == height ? nil : SceneSize(environment.width, height)
        saidHeight = height
        if controller.title != title {
            title = controller.title
            update.title = (title ?? "").asSceneTitle
        }
        let button = SceneMediaButton(controller)
        if button != mediaButton, mediaButton != nil || button.kind != .none {
            update.mediaButton = button
            mediaButton = button
        }
    }

    private var saidHeight: Double?
    /// The layout whose height was looked for.
    private var measured: Int?

    /// Gives the box the height that the controller wants.
    private func takeHeight(_ environment: ViewEnvironment) {
        window.layoutIfNeeded()
        for _ in 0..<Self.heightRoundCount {
            let wanted = wantedHeight(environment)
            let number = window.layoutNumber
            measured = number
            guard wanted != height || window.bounds.width != environment.width else { return }
            height = wanted
            window.resize(to: CGSize(width: environment.width, height: height))
            window.layoutIfNeeded()
            // One layout is that of the new size, and any other one that of what the controller changed in it.
            if window.layoutNumber <= number + 1 { measured = window.layoutNumber }
        }
        measured = window.layoutNumber
    }

    private func wantedHeight(_ environment: ViewEnvironment) -> Double {
        var wanted = height
        if controller.preferredContentSize.height > 0 {
            wanted = Double(controller.preferredContentSize.height)
        } else if measured == nil || measured != window.layoutNumber,
            let fitting = controller.fittingHeight(inWidth: environment.width)
        {
            wanted = fitting
        }
        return min(max(1, wanted), Self.greatestHeight(environment)).toHalf
    }

    private static func greatestHeight(_ environment: ViewEnvironment) -> Double {
        min(2 * environment.width, greatestHeight)
    }

    package func take(_ event: NodeEvent, of id: UInt32) { window.take(event, ofNode: id) }

    package func take(_ press: ViewEvent.MediaPress) {
        switch press {
        case .play: controller.mediaPlay()
        case .pause: controller.mediaPause()
        }
    }

    package func move(to environment: ViewEnvironment) {
        window.move(to: environment)
    }

    package func show(_ notification: UNNotification) { controller.didReceive(notification) }

    package func decide(
        on response: UNNotificationResponse,
        answer: @escaping @MainActor (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        let isDecided = Locked(false)
        controller.didReceive(response) { option in
            let isFirst = isDecided.withLock { isDecided in
                defer { isDecided = true }
                return !isDecided
            }
            guard isFirst else {
                return HostLog.warnOnce(
                    "a response was decided on twice: the completion handler of didReceive is called once"
                )
            }
            guard !MainThread.isCurrent else { return MainActor.assumeIsolated { answer(option) } }
            DispatchQueue.main.async { MainActor.assumeIsolated { answer(option) } }
        }
    }

    package func close() {
        controller.disappear()
        Stage.current.timeline.end()
    }
}

/// Brings the wishes of a controller to the session, from whatever thread they come.
private final class Door: ContentExtensionDoor {
    private let requests: ViewRequests
    private let shown = Locked<[UNNotificationAction]>([])

    init(_ requests: ViewRequests) {
        self.requests = requests
    }

    var actions: [UNNotificationAction] { shown.withLock { $0 } }

    func show(_ actions: [UNNotificationAction]) {
        shown.withLock { $0 = actions }
        onMain { requests in
            let taken = SceneUpdate.readable(showing: self.actions)
            requests.change { $0.actions = taken }
        }
    }

    func performDefaultAction() { onMain { $0.call(.defaultAction) } }
    func dismiss() { onMain { $0.call(.dismiss) } }
    func mediaStarted() { onMain { $0.call(.mediaStarted) } }
    func mediaPaused() { onMain { $0.call(.mediaPaused) } }

    private func onMain(_ body: @escaping @Sendable @MainActor (ViewRequests) -> Void) {
        if MainThread.isCurrent {
            MainActor.assumeIsolated { body(requests) }
        } else {
            DispatchQueue.main.async { [requests] in MainActor.assumeIsolated { body(requests) } }
        }
    }
}

extension SceneMediaButton {
    /// The button that an extension wants.
    @MainActor fileprivate init(_ content: any UNNotificationContentExtension) {
        let kind: Kind =
            switch content.mediaPlayPauseButtonType {
            case .none: .none
            case .default: .default
            case .overlay: .overlay
            }
        let frame = content.mediaPlayPauseButtonFrame
        let number = SceneLimits.number
        self.init(
            kind: kind,
            frame: kind == .overlay
                ? SceneFrame(
                    Double(frame.minX).within(number),
                    Double(frame.minY).within(number),
                    Double(frame.width).within(SceneLimits.length),
                    Double(frame.height).within(SceneLimits.length)
                ) : SceneFrame(0, 0, 0, 0),
            tint: kind == .none ? nil : content.mediaPlayPauseButtonTintColor.sceneColor
        )
    }
}

extension Double {
    /// Rounded to half a point.
    var toHalf: Double { (self * 2).rounded() / 2 }
}
