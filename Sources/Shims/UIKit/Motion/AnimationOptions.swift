// SPDX-License-Identifier: Apache-2.0

import SceneModel

extension UIView {
    /// The way of an animation from its beginning to its end.
    public enum AnimationCurve: Int, Sendable {
        /// Slow at both ends.
        case easeInOut
        /// Slow at the beginning.
        case easeIn
        /// Slow at the end.
        case easeOut
        /// The same all the way.
        case linear
    }

    /// The behaviour of an animation; the bits are Apple's.
    public struct AnimationOptions: OptionSet, Sendable {
        /// The value by which Apple knows it.
        public let rawValue: UInt

        /// Takes the value by which Apple knows it.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Places what is in the views as a part of the animation.
        public static let layoutSubviews = AnimationOptions(rawValue: 1 << 0)
        /// This has no effect: controls always take events.
        public static let allowUserInteraction = AnimationOptions(rawValue: 1 << 1)
        /// This has no effect: the page always begins where something is.
        public static let beginFromCurrentState = AnimationOptions(rawValue: 1 << 2)
        /// Begins again at the end, and is never over.
        public static let `repeat` = AnimationOptions(rawValue: 1 << 3)
        /// Goes back again; with `repeat` alone.
        public static let autoreverse = AnimationOptions(rawValue: 1 << 4)
        /// Has its own time inside another animation.
        public static let overrideInheritedDuration = AnimationOptions(rawValue: 1 << 5)
        /// Has its own curve inside another animation.
        public static let overrideInheritedCurve = AnimationOptions(rawValue: 1 << 6)
        /// This has no effect: the page draws content anew.
        public static let allowAnimatedContent = AnimationOptions(rawValue: 1 << 7)
        /// Has a transition hide the old view instead of taking it away.
        public static let showHideTransitionViews = AnimationOptions(rawValue: 1 << 8)
        /// Takes nothing from an animation around it.
        public static let overrideInheritedOptions = AnimationOptions(rawValue: 1 << 9)

        /// Slow at both ends; the default.
        public static let curveEaseInOut = AnimationOptions([])
        /// Slow at the beginning.
        public static let curveEaseIn = AnimationOptions(rawValue: 1 << 16)
        /// Slow at the end.
        public static let curveEaseOut = AnimationOptions(rawValue: 2 << 16)
        /// The same all the way.
        public static let curveLinear = AnimationOptions(rawValue: 3 << 16)

        /// Turns about the vertical axis to the right; the page moves and fades alone.
        public static let transitionFlipFromLeft = AnimationOptions(rawValue: 1 << 20)
        /// Turns about the vertical axis to the left; the page moves and fades alone.
        public static let transitionFlipFromRight = AnimationOptions(rawValue: 2 << 20)
        /// Turns a leaf upwards; the page moves and fades alone.
        public static let transitionCurlUp = AnimationOptions(rawValue: 3 << 20)
        /// Turns a leaf downwards; the page moves and fades alone.
        public static let transitionCurlDown = AnimationOptions(rawValue: 4 << 20)
        /// Fades from one to the other.
        public static let transitionCrossDissolve = AnimationOptions(rawValue: 5 << 20)
        /// Turns about the horizontal axis downwards; the page moves and fades alone.
        public static let transitionFlipFromTop = AnimationOptions(rawValue: 6 << 20)
        /// Turns about the horizontal axis upwards; the page moves and fades alone.
        public static let transitionFlipFromBottom = AnimationOptions(rawValue: 7 << 20)

        /// The frames a second that the page draws; without effect.
        public static let preferredFramesPerSecond60 = AnimationOptions(rawValue: 3 << 24)
        /// The frames a second that the page draws; without effect.
        public static let preferredFramesPerSecond30 = AnimationOptions(rawValue: 7 << 24)

        var curve: SceneMotion.Curve {
            switch rawValue >> 16 & 0xF {
            case 1: .easeIn
            case 2: .easeOut
            case 3: .linear
            default: .easeInOut
            }
        }
    }

    /// The behaviour of an animation of keyframes; the bits are Apple's.
    public struct KeyframeAnimationOptions: OptionSet, Sendable {
        /// The value by which Apple knows it.
        public let rawValue: UInt

        /// Takes the value by which Apple knows it.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Places what is in the views as a part of the animation.
        public static let layoutSubviews = KeyframeAnimationOptions(rawValue: 1 << 0)
        /// This has no effect: controls always take events.
        public static let allowUserInteraction = KeyframeAnimationOptions(rawValue: 1 << 1)
        /// This has no effect: the page always begins where something is.
        public static let beginFromCurrentState = KeyframeAnimationOptions(rawValue: 1 << 2)
        /// Begins again at the end, and is never over.
        public static let `repeat` = KeyframeAnimationOptions(rawValue: 1 << 3)
        /// Goes back again; with `repeat` alone.
        public static let autoreverse = KeyframeAnimationOptions(rawValue: 1 << 4)
        /// Has its own time inside another animation; it always has.
        public static let overrideInheritedDuration = KeyframeAnimationOptions(rawValue: 1 << 5)
        /// Takes nothing from an animation around it; it never does.
        public static let overrideInheritedOptions = KeyframeAnimationOptions(rawValue: 1 << 9)
        /// Goes from keyframe to keyframe in straight lines; so do the others here.
        public static let calculationModeLinear = KeyframeAnimationOptions([])
        /// Jumps from keyframe to keyframe.
        public static let calculationModeDiscrete = KeyframeAnimationOptions(rawValue: 1 << 10)
        /// Goes in straight lines.
        public static let calculationModePaced = KeyframeAnimationOptions(rawValue: 2 << 10)
        /// Goes in straight lines.
        public static let calculationModeCubic = KeyframeAnimationOptions(rawValue: 3 << 10)
        /// Goes in straight lines.
        public static let calculationModeCubicPaced = KeyframeAnimationOptions(rawValue: 4 << 10)

        var isDiscrete: Bool { rawValue >> 10 & 7 == 1 }
    }

    /// An animation of the system.
    public enum SystemAnimation: UInt, Sendable {
        /// Views vanish.
        case delete
    }
}

extension UIView.AnimationCurve {
    var sceneCurve: SceneMotion.Curve {
        switch self {
        case .easeInOut: .easeInOut
        case .easeIn: .easeIn
        case .easeOut: .easeOut
        case .linear: .linear
        }
    }
}
