// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog

extension UIColor {
    /// Writes red, green, blue and opacity where the pointers point; true.
    @discardableResult
    public func getRed(
        _ red: UnsafeMutablePointer<CGFloat>?,
        green: UnsafeMutablePointer<CGFloat>?,
        blue: UnsafeMutablePointer<CGFloat>?,
        alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        let components = components(.current)
        unsafe red?.pointee = components.red
        unsafe green?.pointee = components.green
        unsafe blue?.pointee = components.blue
        unsafe alpha?.pointee = components.alpha
        return true
    }

    /// Writes the grey of the same brightness and the opacity; true.
    @discardableResult
    public func getWhite(_ white: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?) -> Bool {
        let components = components(.current)
        unsafe white?.pointee = components.white
        unsafe alpha?.pointee = components.alpha
        return true
    }

    /// Writes the place on the colour wheel, saturation, brightness and opacity; true.
    @discardableResult
    public func getHue(
        _ hue: UnsafeMutablePointer<CGFloat>?,
        saturation: UnsafeMutablePointer<CGFloat>?,
        brightness: UnsafeMutablePointer<CGFloat>?,
        alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        let components = components(.current)
        let wheel = components.wheel
        unsafe hue?.pointee = wheel.hue
        unsafe saturation?.pointee = wheel.saturation
        unsafe brightness?.pointee = wheel.brightness
        unsafe alpha?.pointee = components.alpha
        return true
    }

    /// The colour of the current style.
    public var cgColor: CGColor { CGColor(components(.current)) }

    /// Names the colour of a drawing; there is none.
    public func set() { Self.warnOfDrawing() }

    /// Names the colour of areas in a drawing; there is none.
    public func setFill() { Self.warnOfDrawing() }

    /// Names the colour of lines in a drawing; there is none.
    public func setStroke() { Self.warnOfDrawing() }

    private static func warnOfDrawing() {
        HostLog.warnOnce("nothing draws here: UIColor's set(), setFill() and setStroke() do nothing")
    }
}

/// Colours of the asset catalogue, as the extension's program registered them in the `AssetTable`.
extension UIColor {
    /// Finds a colour of the asset catalogue; nil when it has none of that name.
    public convenience init?(named name: String) {
        self.init(named: name, in: nil, compatibleWith: nil)
    }

    /// Finds a colour of the asset catalogue, of which an extension has one, whatever the bundle.
    ///
    /// Traits with a style choose the colour of that style for both.
    public convenience init?(named name: String, in bundle: Bundle?, compatibleWith traitCollection: UITraitCollection?)
    {
        guard let color = AssetTable.color(named: name) else { return nil }
        let light = color.components(UITraitCollection(userInterfaceStyle: .light))
        let dark = color.components(UITraitCollection(userInterfaceStyle: .dark))
        switch traitCollection?.userInterfaceStyle {
        case .light: self.init(light: light, dark: light)
        case .dark: self.init(light: dark, dark: dark)
        case .unspecified, nil: self.init(light: light, dark: dark)
        }
    }
}
