// SPDX-License-Identifier: Apache-2.0

import Foundation
public import UIKit

/// The circle in which markers and pins are drawn, whose lowest point is at the place.
@MainActor enum Marker {
    static let diameter: CGFloat = 28
    static let pinDiameter: CGFloat = 16

    static func draw(_ view: MKAnnotationView, _ diameter: CGFloat, _ color: UIColor) {
        view.bounds = CGRect(x: 0, y: 0, width: diameter, height: diameter)
        view.centerOffset = CGPoint(x: 0, y: -diameter / 2)
        view.layer.cornerRadius = diameter / 2
        view.layer.borderWidth = 1
        view.layer.borderColor = UIColor.white.cgColor
        view.backgroundColor = color
    }
}

/// A marker: a circle of 28 points in a colour, with a letter or a picture in it.
///
/// Apple draws a balloon with the name below; here the map has the names of the first eight places at its lower edge.
/// Source: Apple, "MKMarkerAnnotationView".
@preconcurrency @MainActor open class MKMarkerAnnotationView: MKAnnotationView {
    private var words: UILabel?
    private var glyph: UIImageView?

    override func prepare() {
        Marker.draw(self, Marker.diameter, .systemRed)
        collisionMode = .circle
    }

    /// The colour; red without one.
    open var markerTintColor: UIColor? { didSet { backgroundColor = markerTintColor ?? .systemRed } }
    /// The colour of the letter or the picture; white without one.
    open var glyphTintColor: UIColor? { didSet { drawGlyph() } }
    /// A text of two or three letters.
    open var glyphText: String? { didSet { drawGlyph() } }
    /// A picture, drawn in the place of the text.
    open var glyphImage: UIImage? { didSet { drawGlyph() } }
    /// The picture of a marker that is selected; without one, that of others.
    open var selectedGlyphImage: UIImage? { didSet { drawGlyph() } }
    /// This has no effect: names stand at the lower edge of the map.
    open var titleVisibility = MKFeatureVisibility.adaptive
    /// This has no effect: second lines are not drawn.
    open var subtitleVisibility = MKFeatureVisibility.adaptive
    /// This has no effect: nothing moves when a marker is shown.
    open var animatesWhenAdded = false

    /// Selects the marker or not.
    open override var isSelected: Bool { didSet { drawGlyph() } }

    private func drawGlyph() {
        words?.removeFromSuperview()
        glyph?.removeFromSuperview()
        (words, glyph) = (nil, nil)
        let color = glyphTintColor ?? .white
        if let image = isSelected ? selectedGlyphImage ?? glyphImage : glyphImage {
            let view = UIImageView(image: image.withRenderingMode(.alwaysTemplate))
            view.tintColor = color
            view.contentMode = .scaleAspectFit
            view.frame = bounds.insetBy(dx: 5, dy: 5)
            addSubview(view)
            glyph = view
        } else if let glyphText {
            let label = UILabel(frame: bounds.insetBy(dx: 2, dy: 2))
            label.text = glyphText
            label.textColor = color
            label.font = .systemFont(ofSize: 13, weight: .semibold)
            label.textAlignment = .center
            addSubview(label)
            words = label
        }
    }
}

/// A pin: a circle of 16 points in a colour.
///
/// Source: Apple, "MKPinAnnotationView".
@preconcurrency @MainActor open class MKPinAnnotationView: MKAnnotationView {
    override func prepare() { Marker.draw(self, Marker.pinDiameter, .systemRed) }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The colour; red without one.
    open var pinTintColor: UIColor! = .systemRed { didSet { backgroundColor = pinTintColor ?? .systemRed } }
    /// This has no effect: nothing moves when a pin is shown.
    open var animatesDrop = false

    /// The red of pins.
    open class func redPinColor() -> UIColor { .systemRed }
    /// The green of pins.
    open class func greenPinColor() -> UIColor { .systemGreen }
    /// The purple of pins.
    open class func purplePinColor() -> UIColor { .systemPurple }
}
