// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The domain of `CLError`.
public let kCLErrorDomain = "kCLErrorDomain"

// SAFETY: `userInfo` is written once, by `init`, and holds values that nobody changes afterwards.
/// An error of this module.
///
/// Errors are told apart by `code`; `catch CLError.denied` works as on Apple's platforms.
/// Source: Apple, "CLError".
public struct CLError: CustomNSError, Hashable, @unchecked Sendable {
    /// The number of an error; the numbers are Apple's.
    public enum Code: Int, Sendable {
        /// The place cannot be known now.
        case locationUnknown = 0
        /// The person does not allow it.
        case denied = 1
        /// Nothing can be asked over the network.
        case network = 2
        /// The heading cannot be known.
        case headingFailure = 3
        /// Regions are not allowed to be watched.
        case regionMonitoringDenied = 4
        /// A region cannot be watched.
        case regionMonitoringFailure = 5
        /// A region could not be watched at once.
        case regionMonitoringSetupDelayed = 6
        /// An event of a region comes late.
        case regionMonitoringResponseDelayed = 7
        /// The geocoder found nothing.
        case geocodeFoundNoResult = 8
        /// The geocoder found a part.
        case geocodeFoundPartialResult = 9
        /// The request to the geocoder was taken back.
        case geocodeCanceled = 10
        /// Deferred updates failed.
        case deferredFailed = 11
        /// Updates are not deferred because none are asked for.
        case deferredNotUpdatingLocation = 12
        /// The accuracy does not allow deferred updates.
        case deferredAccuracyTooLow = 13
        /// The distance filter does not allow deferred updates.
        case deferredDistanceFiltered = 14
        /// Deferred updates were taken back.
        case deferredCanceled = 15
        /// Beacons cannot be ranged.
        case rangingUnavailable = 16
        /// Beacons could not be ranged.
        case rangingFailure = 17
        /// The person was not asked.
        case promptDeclined = 18
        /// A change to history failed.
        case historicalLocationError = 19
    }

    /// `kCLErrorDomain`.
    public static var errorDomain: String { kCLErrorDomain }

    /// The kind of the error, by Apple's number.
    public let code: Code
    /// Further facts about the error, under Foundation's keys.
    public let userInfo: [String: Any]

    /// Takes a code and facts.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        (self.code, self.userInfo) = (code, userInfo)
    }

    /// The number of `code`.
    public var errorCode: Int { code.rawValue }
    /// The same as `userInfo`, for `NSError`.
    public var errorUserInfo: [String: Any] { userInfo }

    /// Two errors of one code are equal, whatever else they carry.
    public static func == (left: CLError, right: CLError) -> Bool { left.code == right.code }

    /// Feeds the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension CLError.Code {
    /// Lets a `catch` name the code alone.
    public static func ~= (code: CLError.Code, error: any Error) -> Bool { (error as? CLError)?.code == code }
}

extension CLError {
    /// `Code.locationUnknown`.
    public static var locationUnknown: Code { .locationUnknown }
    /// `Code.denied`.
    public static var denied: Code { .denied }
    /// `Code.network`.
    public static var network: Code { .network }
    /// `Code.headingFailure`.
    public static var headingFailure: Code { .headingFailure }
    /// `Code.regionMonitoringDenied`.
    public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
    /// `Code.regionMonitoringFailure`.
    public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
    /// `Code.regionMonitoringSetupDelayed`.
    public static var regionMonitoringSetupDelayed: Code { .regionMonitoringSetupDelayed }
    /// `Code.regionMonitoringResponseDelayed`.
    public static var regionMonitoringResponseDelayed: Code { .regionMonitoringResponseDelayed }
    /// `Code.geocodeFoundNoResult`.
    public static var geocodeFoundNoResult: Code { .geocodeFoundNoResult }
    /// `Code.geocodeFoundPartialResult`.
    public static var geocodeFoundPartialResult: Code { .geocodeFoundPartialResult }
    /// `Code.geocodeCanceled`.
    public static var geocodeCanceled: Code { .geocodeCanceled }
    /// `Code.deferredFailed`.
    public static var deferredFailed: Code { .deferredFailed }
    /// `Code.deferredNotUpdatingLocation`.
    public static var deferredNotUpdatingLocation: Code { .deferredNotUpdatingLocation }
    /// `Code.deferredAccuracyTooLow`.
    public static var deferredAccuracyTooLow: Code { .deferredAccuracyTooLow }
    /// `Code.deferredDistanceFiltered`.
    public static var deferredDistanceFiltered: Code { .deferredDistanceFiltered }
    /// `Code.deferredCanceled`.
    public static var deferredCanceled: Code { .deferredCanceled }
    /// `Code.rangingUnavailable`.
    public static var rangingUnavailable: Code { .rangingUnavailable }
    /// `Code.rangingFailure`.
    public static var rangingFailure: Code { .rangingFailure }
    /// `Code.promptDeclined`.
    public static var promptDeclined: Code { .promptDeclined }
    /// `Code.historicalLocationError`.
    public static var historicalLocationError: Code { .historicalLocationError }
}
