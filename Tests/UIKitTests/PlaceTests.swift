// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import Testing

@testable import UIKit

private final class Placed: UIViewController {
    var lines: [String] = []
    var whenSized: ((any UIViewControllerTransitionCoordinator) -> Void)?
    var watchAll = false

    override func viewWillTransition(to size: CGSize, with coordinator: any UIViewControllerTransitionCoordinator) {
        super.viewWillTransition(to: size, with: coordinator)
        lines.append("from \(Int(view.bounds.width)) to \(Int(size.width)) x \(Int(size.height))")
        whenSized?(coordinator)
    }

    override func willTransition(
        to newCollection: UITraitCollection,
        with coordinator: any UIViewControllerTransitionCoordinator
    ) {
        super.willTransition(to: newCollection, with: coordinator)
        lines.append("will be \(newCollection.userInterfaceStyle == .dark ? "dark" : "light")")
    }

    override func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {
        super.traitCollectionDidChange(previousTraitCollection)
        lines.append("was \(previousTraitCollection?.userInterfaceStyle == .dark ? "dark" : "light")")
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        guard watchAll else { return }
        registerForTraitChanges([UITraitUserInterfaceStyle.self]) { (self: Self, _: UITraitCollection) in
            self.lines.append("style")
        }
    }

    func taken() -> [String] {
        defer { lines = [] }
        return lines
    }
}

/// Each test sets the surroundings, which the process has one of.
@MainActor @Suite(.serialized) struct PlaceTests {
    private let window: UIWindow
    private let controller = Placed(nibName: nil, bundle: nil)

    init() {
        Surroundings.environment = ViewEnvironment()
        window = UIWindow(frame: CGRect(x: 0, y: 0, width: 360, height: 200))
        window.rootViewController = controller
    }

    @Test("a width that changes is told before the view has it, a width that stays is not")
    func width() {
        controller.appear()
        window.move(to: ViewEnvironment(width: 300))
        #expect(controller.taken() == ["from 360 to 300 x 200"])
        #expect(controller.view.bounds.size == CGSize(width: 300, height: 200))
        window.move(to: ViewEnvironment(width: 300))
        #expect(controller.taken().isEmpty)
        Surroundings.environment = ViewEnvironment()
    }

    @Test("a height that changes is told as well, and what moves along finds the new size")
    func height() {
        controller.appear()
        var seen: [CGFloat] = []
        controller.whenSized = { [controller] coordinator in
            #expect(!coordinator.isAnimated)
            coordinator.animate(
                alongsideTransition: { _ in seen.append(controller.view.bounds.height) },
                completion: { _ in seen.append(-controller.view.bounds.height) }
            )
        }
        window.resize(to: CGSize(width: 360, height: 250))
        window.resize(to: CGSize(width: 360, height: 250))
        #expect(controller.taken() == ["from 360 to 360 x 250"])
        #expect(seen == [250, -250])
    }

    @Test("a controller that is not shown hears of no size")
    func notShown() {
        window.resize(to: CGSize(width: 360, height: 250))
        #expect(controller.taken().isEmpty)
        #expect(controller.view.bounds.height == 250)
    }

    @Test("traits are told where one has changed, and not for a language")
    func traits() {
        controller.appear()
        window.move(to: ViewEnvironment(language: "pt-BR", reducedMotion: true))
        #expect(controller.taken().isEmpty)
        window.move(to: ViewEnvironment(style: .dark, language: "pt-BR"))
        #expect(controller.taken() == ["will be dark", "was light"])
        #expect(controller.traitCollection.userInterfaceStyle == .dark)
        window.move(to: ViewEnvironment())
        #expect(controller.taken() == ["will be light", "was dark"])
    }

    @Test("a function is called at the changes of its traits, with its object, and no more once it is taken away")
    func registrations() {
        controller.watchAll = true
        controller.appear()
        var sizes: [UIContentSizeCategory] = []
        let view = UIView()
        controller.view.addSubview(view)
        let registration = view.registerForTraitChanges([UITraitPreferredContentSizeCategory.self]) {
            (view: UIView, before) in
            #expect(view.superview != nil)
            sizes.append(before.preferredContentSizeCategory)
        }
        window.move(to: ViewEnvironment(style: .dark))
        #expect(controller.taken() == ["will be dark", "was light", "style"])
        #expect(sizes.isEmpty)
        window.move(to: ViewEnvironment(style: .dark, textSize: 2))
        #expect(controller.taken() == ["will be dark", "was dark"])
        #expect(sizes == [.large])
        view.unregisterForTraitChanges(registration)
        window.move(to: ViewEnvironment())
        #expect(sizes == [.large])
    }

    @Test("a child that fills its parent hears of the size, one of a size of its own does not")
    func children() {
        let (filling, small) = (Placed(nibName: nil, bundle: nil), Placed(nibName: nil, bundle: nil))
        for child in [filling, small] {
            controller.addChild(child)
            controller.view.addSubview(child.view)
        }
        filling.view.frame = controller.view.bounds
        small.view.frame = CGRect(x: 0, y: 0, width: 100, height: 50)
        controller.appear()
        window.resize(to: CGSize(width: 320, height: 200))
        #expect(filling.taken() == ["from 360 to 320 x 200"])
        #expect(small.taken().isEmpty)
    }

    @Test("a controller hears that the margins of its view have changed")
    func margins() {
        final class Margins: UIViewController {
            var count = 0
            override func viewLayoutMarginsDidChange() { count += 1 }
        }
        let controller = Margins(nibName: nil, bundle: nil)
        controller.view.layoutMargins = UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        #expect(controller.count == 1)
    }
}
