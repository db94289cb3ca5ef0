// SPDX-License-Identifier: Apache-2.0

/// A control that lets a person choose a colour.
@available(*, unavailable, message: "the page has no field for colours: offer a few as buttons")
@preconcurrency @MainActor open class UIColorWell: UIControl {}

/// A field for what is looked for, with its buttons.
@available(*, unavailable, message: "the page has no bar of that kind: use a UITextField and a UIButton")
@preconcurrency @MainActor open class UISearchBar: UIView {}
