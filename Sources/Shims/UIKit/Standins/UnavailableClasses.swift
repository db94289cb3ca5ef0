// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Classes of UIKit that a view of a notification has no place for, each with the way that there is.

/// A list of rows.
@available(*, unavailable, message: "a view has no tables: put the rows into a UIStackView")
@preconcurrency @MainActor open class UITableView: UIView {}

/// A row of a list.
@available(*, unavailable, message: "a view has no tables: put the rows into a UIStackView")
@preconcurrency @MainActor open class UITableViewCell: UIView {}

/// The controller of a list.
@available(*, unavailable, message: "a view has no tables: put the rows into a UIStackView")
@preconcurrency @MainActor open class UITableViewController: UIViewController {}

/// An object that has the rows of a list.
@available(*, unavailable, message: "a view has no tables: put the rows into a UIStackView")
@preconcurrency @MainActor public protocol UITableViewDataSource: NSObjectProtocol {}

/// An object that decides about a list.
@available(*, unavailable, message: "a view has no tables: put the rows into a UIStackView")
@preconcurrency @MainActor public protocol UITableViewDelegate: NSObjectProtocol {}

/// A grid of cells.
@available(*, unavailable, message: "a view has no collections: put the cells into stack views")
@preconcurrency @MainActor open class UICollectionView: UIView {}

/// A cell of a grid.
@available(*, unavailable, message: "a view has no collections: put the cells into stack views")
@preconcurrency @MainActor open class UICollectionViewCell: UIView {}

/// The controller of a grid.
@available(*, unavailable, message: "a view has no collections: put the cells into stack views")
@preconcurrency @MainActor open class UICollectionViewController: UIViewController {}

/// The places of cells.
@available(*, unavailable, message: "a view has no collections: put the cells into stack views")
@preconcurrency @MainActor open class UICollectionViewLayout: NSObject {}

/// The places of cells in rows.
@available(*, unavailable, message: "a view has no collections: put the cells into stack views")
@preconcurrency @MainActor open class UICollectionViewFlowLayout: NSObject {}

/// An object that has the cells of a grid.
@available(*, unavailable, message: "a view has no collections: put the cells into stack views")
@preconcurrency @MainActor public protocol UICollectionViewDataSource: NSObjectProtocol {}

/// An object that decides about a grid.
@available(*, unavailable, message: "a view has no collections: put the cells into stack views")
@preconcurrency @MainActor public protocol UICollectionViewDelegate: NSObjectProtocol {}

/// An object that decides about the places of cells.
@available(*, unavailable, message: "a view has no collections: put the cells into stack views")
@preconcurrency @MainActor public protocol UICollectionViewDelegateFlowLayout: NSObjectProtocol {}

/// A question over everything.
@available(*, unavailable, message: "nothing is shown over a view: add a view or a child controller to it")
@preconcurrency @MainActor open class UIAlertController: UIViewController {}

/// An answer to a question.
@available(*, unavailable, message: "nothing is shown over a view: add a view or a child controller to it")
@preconcurrency @MainActor open class UIAlertAction: NSObject {}

/// The choices of what to do with something.
@available(*, unavailable, message: "nothing is shown over a view: add a view or a child controller to it")
@preconcurrency @MainActor open class UIActivityViewController: UIViewController {}

/// A controller that shows others one behind the other.
@available(*, unavailable, message: "nothing is shown over a view: add a view or a child controller to it")
@preconcurrency @MainActor open class UINavigationController: UIViewController {}

/// A controller that shows one of several others.
@available(*, unavailable, message: "nothing is shown over a view: add a view or a child controller to it")
@preconcurrency @MainActor open class UITabBarController: UIViewController {}

/// A controller whose pages are turned.
@available(
    *,
    unavailable,
    message: "the page has no turning: show one child after the other by addChild and UIPageControl"
)
@preconcurrency @MainActor open class UIPageViewController: UIViewController {}

/// A wheel that appears when a list is pulled.
@available(*, unavailable, message: "the page does not tell of pulling: add a UIButton")
@preconcurrency @MainActor open class UIRefreshControl: UIControl {}

/// Wheels that turn.
@available(*, unavailable, message: "the page has no wheels: use a UISegmentedControl, a UIStepper or a UIDatePicker")
@preconcurrency @MainActor open class UIPickerView: UIView {}

/// A bar with a title.
@available(*, unavailable, message: "the page has no bars: set the title of the controller")
@preconcurrency @MainActor open class UINavigationBar: UIView {}

/// A page of the web.
@available(*, unavailable, message: "a view shows no pages of the web: show its text in a UILabel or UITextView")
@preconcurrency @MainActor open class UIWebView: UIView {}
