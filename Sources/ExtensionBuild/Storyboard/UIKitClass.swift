// SPDX-License-Identifier: Apache-2.0

/// One of UIKit's and MapKit's classes that a storyboard can hold.
///
/// Source: Apple, "UIKit" and "MapKit", the pages of the classes; elements as Xcode 15 writes them.
struct UIKitClass {
    let name: String
    /// The class above; nil for NSObject alone.
    let superclass: String?
    /// The storyboard's element of that class; nil for classes that no element makes.
    let element: String?
    /// The module that has the class; nil for UIKit and Foundation.
    var module: String?

    private static let all: [UIKitClass] = [
        .init(name: "NSObject", superclass: nil, element: nil),
        .init(name: "NSLayoutConstraint", superclass: "NSObject", element: "constraint"),
        .init(name: "UILayoutGuide", superclass: "NSObject", element: nil),
        .init(name: "UIResponder", superclass: "NSObject", element: nil),
        .init(name: "UIViewController", superclass: "UIResponder", element: "viewController"),
        .init(name: "UIView", superclass: "UIResponder", element: "view"),
        .init(name: "UILabel", superclass: "UIView", element: "label"),
        .init(name: "UIImageView", superclass: "UIView", element: "imageView"),
        .init(name: "UIStackView", superclass: "UIView", element: "stackView"),
        .init(name: "UIActivityIndicatorView", superclass: "UIView", element: "activityIndicatorView"),
        .init(name: "UIProgressView", superclass: "UIView", element: "progressView"),
        .init(name: "UIVisualEffectView", superclass: "UIView", element: "visualEffectView"),
        .init(name: "UIScrollView", superclass: "UIView", element: "scrollView"),
        .init(name: "UITextView", superclass: "UIScrollView", element: "textView"),
        .init(name: "UIControl", superclass: "UIView", element: "control"),
        .init(name: "UIButton", superclass: "UIControl", element: "button"),
        .init(name: "UISlider", superclass: "UIControl", element: "slider"),
        .init(name: "UISwitch", superclass: "UIControl", element: "switch"),
        .init(name: "UIStepper", superclass: "UIControl", element: "stepper"),
        .init(name: "UISegmentedControl", superclass: "UIControl", element: "segmentedControl"),
        .init(name: "UITextField", superclass: "UIControl", element: "textField"),
        .init(name: "UIPageControl", superclass: "UIControl", element: "pageControl"),
        .init(name: "UIDatePicker", superclass: "UIControl", element: "datePicker"),
        .init(name: "MKMapView", superclass: "UIView", element: "mapView", module: "MapKit"),
        .init(name: "UIGestureRecognizer", superclass: "NSObject", element: nil),
        .init(name: "UITapGestureRecognizer", superclass: "UIGestureRecognizer", element: "tapGestureRecognizer"),
        // Xcode's own spelling.
        .init(
            name: "UILongPressGestureRecognizer",
            superclass: "UIGestureRecognizer",
            element: "pongPressGestureRecognizer"
        ),
        .init(name: "UISwipeGestureRecognizer", superclass: "UIGestureRecognizer", element: "swipeGestureRecognizer"),
        .init(name: "UIPanGestureRecognizer", superclass: "UIGestureRecognizer", element: "panGestureRecognizer"),
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    private static let byElement = Dictionary(
        all.compactMap { row in row.element.map { ($0, row) } },
        uniquingKeysWith: { first, _ in first }
    )

    static func named(_ name: String) -> UIKitClass? { byName[name] }

    /// The name of a class or type without the module that may stand before it: "UIKit.UILabel" is "UILabel".
    static func withoutModule(_ name: String) -> String {
        for module in ["UIKit.", "Foundation.", "MapKit."] where name.hasPrefix(module) {
            return String(name.dropFirst(module.count))
        }
        return name
    }

    /// The class of an element's object; nil for elements that are none of §4's classes.
    static func of(element: String) -> UIKitClass? {
        byElement[element == "longPressGestureRecognizer" ? "pongPressGestureRecognizer" : element]
    }

    /// Views whose classes are not there; an empty view keeps their place.
    static let absentViews: Set<String> = [
        "arscnView", "arskView", "collectionView", "colorWell", "containerView", "glkView", "mtkView",
        "navigationBar", "pickerView", "sceneKitView", "searchBar", "skView", "tabBar", "tableView", "toolbar",
        "webView", "window", "wkWebView",
    ]

    /// True for a recognizer's class.
    var isGesture: Bool { superclass == "UIGestureRecognizer" }
    /// True for UIView and the classes below it.
    var isView: Bool { name == "UIView" || superclass.flatMap(Self.named)?.isView == true }

    /// The protocol of the outlet `delegate` that some of UIKit's classes have.
    static let delegates = [
        "UITextField": "UITextFieldDelegate", "UITextView": "UITextViewDelegate",
        "UIScrollView": "UIScrollViewDelegate", "UIGestureRecognizer": "UIGestureRecognizerDelegate",
        "MKMapView": "MKMapViewDelegate",
    ]

    /// The parameterless actions that UIKit's views and controls have themselves.
    static let ownActions: Set<String> = [
        "becomeFirstResponder", "layoutIfNeeded", "removeFromSuperview", "resignFirstResponder", "setNeedsDisplay",
        "setNeedsLayout", "sizeToFit", "startAnimating", "stopAnimating",
    ]
}
