// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import Testing

@testable import UIKit

@MainActor @Suite struct SetterTests {
    @Test("setting the layers of a layer takes the others away and the new ones from where they were")
    func sublayers() {
        let (here, there, old, moved) = (CALayer(), CALayer(), CALayer(), CALayer())
        here.addSublayer(old)
        there.addSublayer(moved)
        here.sublayers = [moved]
        #expect(old.superlayer == nil)
        #expect(moved.superlayer === here)
        #expect(there.sublayers == [])
        here.sublayers?.removeAll()
        #expect(moved.superlayer == nil)
        here.sublayers = nil
        #expect(here.sublayers == nil)
    }

    @Test("setting the layers of a view's layer draws them")
    func sublayersOfView() throws {
        let view = UIView(frame: CGRect(x: 0, y: 0, width: 50, height: 50))
        let shown = ShownView(view)
        let layer = CALayer()
        layer.frame = CGRect(x: 1, y: 2, width: 3, height: 4)
        view.layer.sublayers = [layer]
        _ = try shown.drawn()
        #expect(layer.sceneID != 0)
    }

    @Test("setting the recognizers of a view moves them, and lets go of the old ones")
    func recognizers() {
        let (here, there) = (UIView(), UIView())
        let (old, moved) = (UITapGestureRecognizer(), UITapGestureRecognizer())
        here.addGestureRecognizer(old)
        there.addGestureRecognizer(moved)
        here.gestureRecognizers = [moved]
        #expect(old.view == nil)
        #expect(moved.view === here)
        #expect(there.gestureRecognizers == [])
        here.gestureRecognizers?.removeAll()
        #expect(moved.view == nil)
        here.addGestureRecognizer(old)
        here.addGestureRecognizer(old)
        #expect(here.gestureRecognizers == [old])
        here.removeGestureRecognizer(old)
        #expect(here.gestureRecognizers == [])
        here.gestureRecognizers = nil
        #expect(here.gestureRecognizers == nil)
    }

    @Test("wishes for a keyboard are kept by fields and text views, with Apple's defaults, and by nothing else")
    func inputTraits() throws {
        let (field, view) = (UITextField(), UITextView())
        for traits in [field, view] as [any UITextInputTraits] {
            #expect(traits.autocapitalizationType == .sentences)
            #expect(traits.keyboardType == .default)
            traits.keyboardType = .emailAddress
            traits.returnKeyType = .send
            #expect(traits.returnKeyType == .send)
        }
        #expect(field.keyboardType == .emailAddress)
        field.frame.size = CGSize(width: 100, height: 34)
        let shown = ShownView(field)
        guard case .field(let drawn) = try shown.kind() else { throw CocoaError(.coderValueNotFound) }
        #expect(drawn.keyboard == .email)
        field.isSecureTextEntry = true
        guard case .field(let secure) = try shown.kind() else { throw CocoaError(.coderValueNotFound) }
        #expect(secure.isSecure)
    }

    @Test("a subclass with the two initializers of old has the ways to make a button and a control")
    func inheritedInitializers() {
        final class Round: UIButton {
            override init(frame: CGRect) {
                super.init(frame: frame)
                layer.cornerRadius = 8
            }
            required init?(coder: NSCoder) { super.init(coder: coder) }
        }
        let button = Round(type: .system)
        #expect(button.buttonType == .system)
        #expect(button.layer.cornerRadius == 8)
        var taps = 0
        let second = Round(primaryAction: UIAction(title: "Go") { _ in taps += 1 })
        second.performPrimaryAction()
        #expect(second.currentTitle == "Go")
        #expect(taps == 1)
        let third = UISwitch(frame: .zero, primaryAction: UIAction { _ in taps += 1 })
        third.performPrimaryAction()
        #expect(taps == 2)
        #expect(third.bounds.size == CGSize(width: 51, height: 31))
    }

    @Test("a configuration's transformers change the colours of background, border and picture")
    func transformers() throws {
        var configuration = UIButton.Configuration.filled()
        configuration.image = UIImage(systemName: "heart")
        configuration.imageColorTransformer = UIConfigurationColorTransformer { _ in .green }
        configuration.background.backgroundColorTransformer = UIConfigurationColorTransformer { _ in .red }
        configuration.background.strokeColorTransformer = UIConfigurationColorTransformer { _ in .blue }
        configuration.background.strokeWidth = 2
        let node = try ShownView(UIButton(configuration: configuration)).drawn()
        #expect(node.style.background == UIColor.red.sceneColor)
        #expect(node.style.border == SceneStyle.Border(width: 2, color: UIColor.blue.sceneColor))
        guard case .button(let button) = node.kind else { throw CocoaError(.coderValueNotFound) }
        #expect(button.color == UIColor.green.sceneColor)
    }

    @Test("a xib and a storyboard are made by their names, and one that is not there gives nothing")
    func files() {
        let view = UIView()
        NibFiles.add(nib: "SetterTests") { owner in [view, owner as Any] }
        NibFiles.add(storyboard: "SetterTests") { UIViewController(nibName: nil, bundle: nil) }
        let objects = Bundle.main.loadNibNamed("SetterTests", owner: self.files as Any, options: nil)
        #expect(objects?.first as? UIView === view)
        #expect(UINib(nibName: "SetterTests", bundle: nil).instantiate(withOwner: nil).first as? UIView === view)
        #expect(UINib(nibName: "none", bundle: nil).instantiate(withOwner: nil, options: nil).isEmpty)
        #expect(Bundle.main.loadNibNamed("none", owner: nil) == nil)
        #expect(UIStoryboard(name: "SetterTests", bundle: nil).instantiateInitialViewController() != nil)
        #expect(UIStoryboard(name: "none", bundle: nil).instantiateInitialViewController() == nil)
    }
}
