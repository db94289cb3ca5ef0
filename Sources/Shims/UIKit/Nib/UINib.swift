// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A xib of the extension.
///
/// Source: Apple, "UINib".
@preconcurrency @MainActor open class UINib: NSObject {
    /// A choice at the making of objects.
    public struct OptionsKey: Hashable, RawRepresentable, Sendable {
        /// The name by which Apple knows it.
        public let rawValue: String

        /// Takes the name by which Apple knows it.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Objects that stand in for others; none do here.
        public static let externalObjects = OptionsKey(rawValue: "UINibExternalObjects")
    }

    private let name: String

    /// The xib of a file's name without the extension; the bundle is always the extension's.
    public init(nibName name: String, bundle bundleOrNil: Bundle?) {
        self.name = name
    }

    /// Makes the objects and connects them with the owner; there are none if the extension has no such xib.
    @discardableResult
    open func instantiate(withOwner ownerOrNil: Any?, options optionsOrNil: [OptionsKey: Any]? = nil) -> [Any] {
        guard let objects = NibFiles.objects(ofNib: name, owner: ownerOrNil) else {
            Absent.note("a xib that the extension has not", "it has no objects")
            return []
        }
        return objects
    }
}

extension Bundle {
    /// Makes the objects of a xib and connects them with the owner; `nil` if the extension has no such xib.
    ///
    /// Source: Apple, "loadNibNamed(_:owner:options:)".
    @preconcurrency @MainActor @discardableResult
    public func loadNibNamed(_ name: String, owner: Any?, options: [UINib.OptionsKey: Any]? = nil) -> [Any]? {
        NibFiles.objects(ofNib: name, owner: owner)
    }
}
