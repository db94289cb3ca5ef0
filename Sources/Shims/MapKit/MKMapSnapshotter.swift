// SPDX-License-Identifier: Apache-2.0

public import CoreLocation
import Dispatch
public import Foundation
import Locking
public import UIKit

// SAFETY: what may change lies behind a mutex; the options are read by whoever made them alone.
/// The maker of pictures of maps: there are none here, so that each request ends with `MKError(.serverFailure)`.
///
/// Source: Apple, "MKMapSnapshotter".
open class MKMapSnapshotter: NSObject, @unchecked Sendable {
    /// The part of the map and the picture that are wanted.
    open class Options: NSObject {
        /// The part of the map.
        open var region = MKCoordinateRegion()
        /// The part of the map in points of the whole map.
        open var mapRect = MKMapRect.world
        /// The point in the sky.
        open var camera = MKMapCamera()
        /// The kind of the map.
        open var mapType = MKMapType.standard
        /// The look of the map.
        open var preferredConfiguration: MKMapConfiguration = MKStandardMapConfiguration()
        /// Points of the picture.
        open var size = CGSize(width: 256, height: 256)
        /// Pixels of a point.
        open var scale: CGFloat = 2
        /// True if buildings are wanted.
        open var showsBuildings = true
        /// True if sights are wanted.
        open var showsPointsOfInterest = true
        /// The sights that are wanted; `nil` means all.
        open var pointOfInterestFilter: MKPointOfInterestFilter?
        /// The place in which the picture is shown.
        open var traitCollection = UITraitCollection.current
    }

    /// A picture of a map; none is made.
    open class Snapshot: NSObject {
        /// The picture.
        public let image: UIImage
        private let ground: MapGround?

        init(image: UIImage, ground: MapGround?) {
            (self.image, self.ground) = (image, ground)
            super.init()
        }

        /// The point of the picture at which a place is.
        open func point(for coordinate: CLLocationCoordinate2D) -> CGPoint {
            ground?.place(coordinate) ?? CGPoint(x: CGFloat.nan, y: CGFloat.nan)
        }
    }

    /// Called with a picture, or with an error.
    public typealias CompletionHandler = (Snapshot?, (any Error)?) -> Void

    // SAFETY: it is handed from the main queue to the queue of the caller, once.
    private struct Call: @unchecked Sendable {
        let handler: CompletionHandler
    }

    private struct State {
        var number = 0
        var isLoading = false
    }

    /// The part of the map and the picture that are wanted.
    public let options: Options
    private let state = Locked(State())

    /// Takes what is wanted.
    public init(options: Options) {
        self.options = options
        super.init()
    }

    /// Takes a picture of 256 × 256 points.
    public convenience override init() {
        self.init(options: Options())
    }

    /// True from a request until it ends.
    open var isLoading: Bool { state.withLock { $0.isLoading } }

    /// Asks for the picture; the handler is called on the main queue with an error.
    @preconcurrency open func start(completionHandler: @escaping CompletionHandler) {
        start(with: .main, completionHandler: completionHandler)
    }

    /// Asks for the picture; the handler is called on a queue with an error.
    ///
    /// One request at a time is taken.
    @preconcurrency open func start(with queue: DispatchQueue, completionHandler: @escaping CompletionHandler) {
        let mine = state.withLock { state -> Int? in
            guard !state.isLoading else { return nil }
            state.isLoading = true
            state.number += 1
            return state.number
        }
        guard let mine else { return }
        let call = Call(handler: completionHandler)
        queue.async { if self.end(mine) { call.handler(nil, MKError(.serverFailure)) } }
    }

    /// Throws `MKError(.serverFailure)`.
    open func start() async throws -> Snapshot { throw MKError(.serverFailure) }

    /// Takes the request back; its handler is not called.
    open func cancel() { state.withLock { $0.isLoading = false } }

    /// Ends a request; false if it was taken back.
    private func end(_ number: Int) -> Bool {
        state.withLock { state in
            guard state.isLoading, state.number == number else { return false }
            state.isLoading = false
            return true
        }
    }
}
