// SPDX-License-Identifier: Apache-2.0

/// Draws a layer many times.
@available(*, unavailable, message: "a view's page draws each layer once: add the copies as views of their own")
open class CAReplicatorLayer: CALayer {}

/// Draws particles.
@available(*, unavailable, message: "a view's page draws no particles: show a picture that moves, as a GIF")
open class CAEmitterLayer: CALayer {}

/// A kind of particle.
@available(*, unavailable, message: "a view's page draws no particles: show a picture that moves, as a GIF")
open class CAEmitterCell {}

/// Places layers in space.
@available(*, unavailable, message: "a view's page draws in the plane: use a CALayer and transforms of the plane")
open class CATransformLayer: CALayer {}

/// Draws a large layer in parts.
@available(*, unavailable, message: "nothing draws here: show a UIImageView in a UIScrollView")
open class CATiledLayer: CALayer {}
