// SPDX-License-Identifier: Apache-2.0

import Dispatch
public import Foundation
import Locking

/// Called on the main queue with what the geocoder found, or with an error.
public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void

// SAFETY: what may change lies behind a mutex.
/// The search for addresses and for places: each ends with `CLError(.network)`, since nobody can be asked here.
///
/// A second request while one is under way ends the same, as Apple's does for too many; `cancelGeocode()` ends the one
/// that waits with `CLError(.geocodeCanceled)`.
/// Source: Apple, "CLGeocoder".
open class CLGeocoder: NSObject, @unchecked Sendable {
    // SAFETY: handlers are called on the main queue alone, once.
    private struct Request: @unchecked Sendable {
        let number: Int
        let handler: CLGeocodeCompletionHandler
    }

    private struct State {
        var number = 0
        var waiting: [Request] = []
    }

    private let state = Locked(State())

    /// Nothing is asked yet.
    public override init() {}

    /// True from a request until its handler is called.
    open var isGeocoding: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Asks for the address of a place; ends with an error.
    @preconcurrency open func reverseGeocodeLocation(
        _ location: CLLocation,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        ask(completionHandler)
    }

    /// Asks for the address of a place in a language; ends with an error.
    @preconcurrency open func reverseGeocodeLocation(
        _ location: CLLocation,
        preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        ask(completionHandler)
    }

    /// Asks for the place of an address; ends with an error.
    @preconcurrency open func geocodeAddressString(
        _ addressString: String,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        ask(completionHandler)
    }

    /// Asks for the place of an address in an area; ends with an error.
    @preconcurrency open func geocodeAddressString(
        _ addressString: String,
        in region: CLRegion?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        ask(completionHandler)
    }

    /// Asks for the place of an address in an area and a language; ends with an error.
    @preconcurrency open func geocodeAddressString(
        _ addressString: String,
        in region: CLRegion?,
        preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        ask(completionHandler)
    }

    /// Asks for the address of a place, in a language if there is one: throws `CLError(.network)`.
    open func reverseGeocodeLocation(
        _ location: CLLocation,
        preferredLocale locale: Locale? = nil
    ) async throws -> [CLPlacemark] {
        try await answer()
    }

    /// Asks for the place of an address, in an area and a language if there are some: throws `CLError(.network)`.
    open func geocodeAddressString(
        _ addressString: String,
        in region: CLRegion? = nil,
        preferredLocale locale: Locale? = nil
    ) async throws -> [CLPlacemark] {
        try await answer()
    }

    /// Ends the request that waits, if there is one.
    open func cancelGeocode() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for request in waiting { DispatchQueue.main.async { request.handler(nil, CLError(.geocodeCanceled)) } }
    }

    private func answer() async throws -> [CLPlacemark] {
        try await withCheckedThrowingContinuation { continuation in
            ask { places, error in
                continuation.resume(with: places.map(Result.success) ?? .failure(error ?? CLError(.network)))
            }
        }
    }

    private func ask(_ handler: @escaping CLGeocodeCompletionHandler) {
        let number = state.withLock { state in
            state.number += 1
            state.waiting.append(Request(number: state.number, handler: handler))
            return state.number
        }
        DispatchQueue.main.async { self.end(number) }
    }

    private func end(_ number: Int) {
        let request = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
        }
        request?.handler(nil, CLError(.network))
    }
}
