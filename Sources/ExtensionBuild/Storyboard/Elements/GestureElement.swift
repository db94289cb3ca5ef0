// SPDX-License-Identifier: Apache-2.0

/// The properties of recognizers.
enum GestureElement {
    static func write(_ gesture: PropertyWriter) {
        gesture.bool("enabled", "isEnabled")
        gesture.bool("cancelsTouchesInView")
        gesture.bool("delaysTouchesBegan")
        gesture.bool("delaysTouchesEnded")
        switch gesture.element.name {
        case "tapGestureRecognizer":
            gesture.integer("numberOfTapsRequired")
            gesture.integer("numberOfTouchesRequired")
        case "swipeGestureRecognizer":
            gesture.choice("direction", Choices.swipes)
            gesture.integer("numberOfTouchesRequired")
        case "panGestureRecognizer":
            gesture.integer("minimumNumberOfTouches")
            gesture.integer("maximumNumberOfTouches")
        default:
            gesture.number("minimumPressDuration")
            gesture.number("allowableMovement")
            gesture.integer("numberOfTapsRequired")
            gesture.integer("numberOfTouchesRequired")
        }
    }
}
