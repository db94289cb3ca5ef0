// SPDX-License-Identifier: Apache-2.0

@_exported public import Foundation
import Locking

// SAFETY: it has no state of its own.
/// Facts about a donation that its intent does not hold.
open class INIntentDonationMetadata: NSObject, @unchecked Sendable {
    /// Says nothing.
    public override init() {}
}

// SAFETY: what can change is behind a lock.
/// A request of the user's, or something that happened to the user, in terms that Siri knows.
open class INIntent: NSObject, INImageParameters, @unchecked Sendable {
    private struct State {
        var images: [ParameterKey: INImage] = [:]
        var keyImage: INImage?
        var donationMetadata: INIntentDonationMetadata?
        var suggestedInvocationPhrase: String?
    }

    private let state = Locked(State())

    /// Always `nil`, because only Siri gives identifiers.
    open var identifier: String? { nil }

    /// Stored without effect.
    open var donationMetadata: INIntentDonationMetadata? {
        get { state.withLock { $0.donationMetadata } }
        set { state.withLock { $0.donationMetadata = newValue } }
    }

    /// Stored without effect.
    open var suggestedInvocationPhrase: String? {
        get { state.withLock { $0.suggestedInvocationPhrase } }
        set { state.withLock { $0.suggestedInvocationPhrase = newValue } }
    }

    /// The picture that was set last.
    open func keyImage() -> INImage? { state.withLock { $0.keyImage } }

    /// No intent of this class alone has a meaning.
    public override init() {}

    fileprivate func set(_ image: INImage?, for parameter: AnyKeyPath) {
        let key = ParameterKey(path: parameter)
        state.withLock { state in
            state.images[key] = image
            state.keyImage = image
        }
    }

    fileprivate func image(for parameter: AnyKeyPath) -> INImage? {
        let key = ParameterKey(path: parameter)
        return state.withLock { $0.images[key] }
    }
}

// SAFETY: a key path never changes.
private struct ParameterKey: Hashable, @unchecked Sendable {
    let path: AnyKeyPath
}

/// An intent whose parameters may have pictures.
public protocol INImageParameters: NSObjectProtocol {}

extension INImageParameters where Self: INIntent {
    /// Gives a parameter a picture: `intent.setImage(image, forParameterNamed: \.speakableGroupName)`.
    public func setImage<Value>(_ image: INImage?, forParameterNamed parameterName: KeyPath<Self, Value>) {
        set(image, for: parameterName)
    }

    /// The picture of a parameter; nil if it has none.
    public func image<Value>(forParameterNamed parameterName: KeyPath<Self, Value>) -> INImage? {
        image(for: parameterName)
    }
}

/// The result of handling an intent.
open class INIntentResponse: NSObject {}
