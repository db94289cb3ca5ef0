// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The input views of the first responder, one below the other, which a page shows below the box.
///
/// The strip is a view of the window, so that what is in it tells of its changes and is placed like the rest. An input
/// view that is in the box leaves it, as on iOS. Actions that nothing in the strip takes go on to the responder.
/// Source: Apple, "inputAccessoryView" and "inputView".
final class InputStrip: UIView {
    /// The first responder that was asked for its views.
    private weak var asked: UIResponder?
    /// The responder that has the view above the keyboard, or else the one that was asked.
    private weak var responder: UIResponder?
    /// True if the first responder is to be asked again.
    var isOld = true
    /// The layout for which the views were placed.
    private var placedFor: Int?

    override func givenMask(of subview: UIView) -> AutoresizingMask? { [] }

    override var next: UIResponder? {
        // A responder may be in a view of its own, or its view may be one.
        let view = responder as? UIView ?? (responder as? UIViewController)?.viewIfLoaded
        if view?.isDescendant(of: self) == true { return superview }
        return responder ?? superview
    }

    /// Takes the views of the first responder, unless they are there.
    ///
    /// The view above the keyboard is that of the nearest responder that has one, so that a controller's stays while a
    /// field in it is written in.
    func take(_ first: UIResponder?, in window: UIWindow) {
        guard isOld || first !== asked || first == nil && !subviews.isEmpty else { return }
        (isOld, asked, placedFor) = (false, first, nil)
        var accessory: UIView?
        responder = first?.chain.first { responder in
            accessory = responder.inputAccessoryView
            return accessory != nil
        }
        responder = responder ?? first
        let wanted = [accessory, first?.inputView].compactMap { $0 }.filter { isTakeable($0, in: window) }
        for view in subviews where !wanted.contains(where: { $0 === view }) { view.removeFromSuperview() }
        for (index, view) in wanted.enumerated() where subviews.firstIndex(of: view) != index {
            insertSubview(view, at: index)
        }
        if subviews.isEmpty { removeFromSuperview() } else if superview == nil { window.addSubview(self) }
    }

    private func isTakeable(_ view: UIView, in window: UIWindow) -> Bool {
        let root = window.rootViewController?.viewIfLoaded
        guard root?.isDescendant(of: view) != true, !isDescendant(of: view), view !== window else {
            Absent.note("an input view that the box is in", "it stays where it is")
            return false
        }
        return true
    }

    /// Places the views in a width below the box, once for each layout of the window; true if one has another place.
    ///
    /// A view without a height, or that constraints place, is as high as its content needs.
    func place(below box: CGRect, in layoutNumber: Int) -> Bool {
        guard placedFor != layoutNumber else { return false }
        placedFor = layoutNumber
        var height: CGFloat = 0
        var hasChanged = false
        for view in subviews {
            let isGiven = view.layout.followsFrame && view.bounds.height > 0
            let own = isGiven ? view.bounds.height : view.fittingHeight(inWidth: box.width)
            let frame = CGRect(x: 0, y: height, width: box.width, height: own)
            if frame != view.frame {
                view.frame = frame
                hasChanged = true
            }
            height += own
        }
        let frame = CGRect(x: 0, y: box.height, width: box.width, height: height)
        if frame != self.frame {
            self.frame = frame
            hasChanged = true
        }
        return hasChanged
    }
}

extension UIWindow {
    /// Takes in that the first responder is another one, or has other input views.
    func inputViewsChanged() {
        strip.isOld = true
        sceneChanged()
    }

    /// Shows the input views of the first responder, if that is in this window; true if a view has another place.
    func takeStrip() -> Bool {
        strip.take(UIResponder.first.flatMap { $0.chain.contains(self) ? $0 : nil }, in: self)
        guard strip.superview != nil else { return false }
        return strip.place(below: bounds, in: layoutNumber)
    }
}

extension UIView {
    /// The height that constraints and content say in a width.
    fileprivate func fittingHeight(inWidth width: CGFloat) -> CGFloat {
        systemLayoutSizeFitting(
            CGSize(width: width, height: 0),
            withHorizontalFittingPriority: .required,
            verticalFittingPriority: .fittingSizeLevel
        ).height
    }
}
