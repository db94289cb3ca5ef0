# SPDX-License-Identifier: Apache-2.0
"""Tests scripts/uikit-page with planted sources.

  python3 Tests/UIKitPage/self_test.py
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "uikit-page"

SLIDER = '''\
/// A value that a person chooses along a line. More of it.
///
/// Source: Apple, "UISlider".
@preconcurrency @MainActor open class UISlider: UIControl {
    /// The look of a slider.
    public enum Style: Int, Sendable {
        /// Usual.
        case automatic
        public static let other = 1
    }

    private var bottom: Float = 0
    var inner = 1
    package var shared = 2

    /// The value.
    open var value: Float {
        get { bottom }
        set { let public = newValue; bottom = public }
    }
    open var `default`: Int { 0 }
    public internal(set) var minimumValue: Float = 0
    open var style: Style { .automatic }
    open var (low, high): (Float, Float) { (0, 1) }
    public let maximumValue, middle: Float
    // open var commented = 1
    let text = "open var quoted = { \\(max(1, "}".count)) "
    /// The picture.
    open var image: UIImage? { didSet { note(image, "image") } }
    open override func layoutSubviews() {}
    /// Sets.
    open func setThumbImage(
        _ image: UIImage?,
        for state: UIControl.State = [.normal, .disabled], then completion: @escaping ((Bool, Int) -> Void) = { _, _ in }
    ) {
        func open(_ a: Int) {}
        if image != nil { Absent.note("UISlider.\\(image)", "the page draws " + "its \\"own\\" | line") }
    }
    @available(
        *,
        unavailable,
        message: "nothing draws here: show \\"it\\" whole"
    )
    open func draw(_ rect: CGRect) { fatalError() }
    public init(frame: CGRect) {}
    public init(_secret: Int) {}
    public static func == (left: UISlider, right: UISlider) -> Bool { true }
    public subscript(index: Int, named name: String) -> Int { 0 }
}

extension UISlider.Style {
    public var nested: Int { 1 }
}
'''
MORE = '''\
/// A field for colours.
@available(*, unavailable, message: "the page has none")
@preconcurrency @MainActor open class UIColorWell: UIControl { public var color = 1 }

public extension UISlider {
    func added() {}
    internal func hidden() {}
}

/// Hears of a slider.
public protocol UISliderDelegate: AnyObject {
    /// Moved.
    func moved<Value>(_ slider: UISlider, to value: Value)
}

struct Inner { public var nothing = 1 }

/// A storage.
@propertyWrapper public struct _Stored<Value> {
    public enum Kind { case one }
    public init(wrappedValue: Value) {}
    @available(*, unavailable, message: "a class has it")
    public var wrappedValue: Int { 1 }
}

/// Makes a rectangle.
public func UIRectMake(_ x: Double, y: Double) -> CGRect { .zero }

extension String {
    public func sized(in font: UIFont) -> CGSize { .zero }
}
'''
TABLES = '''\
## UIKit

### Controls

| Type | What it is | Members |
|---|---|---|
| `String` |  | `sized(in:)` |
| `UISlider` | A value that a person chooses along a line. | `added()`, `default`, `high`, `image`, `low`, `maximumValue`, `middle`, `minimumValue`, `setThumbImage(_:for:then:)`, `Style`, `style`, `subscript(_:named:)`, `value`, `init(frame:)` |
| `UISliderDelegate` | Hears of a slider. | `moved(_:to:)` |
| Functions and constants |  | `UIRectMake(_:y:)` |

| Has no effect | Instead |
|---|---|
| UISlider.… | the page draws its "own" \\| line |

| Refused | What the compiler says |
|---|---|
| `UIColorWell` | the page has none |
| `UISlider.draw(_:)` | nothing draws here: show "it" whole |

### Others

| Type | What it is | Members |
|---|---|---|
| `UIScene` | A scene. |  |

## AVFoundation

| Type | What it is | Members |
|---|---|---|
| `AVFoundationType` | A type. | `one` |

'''


class UIKitPage(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.put("UIKit/Controls/UISlider.swift", SLIDER)
        self.put("UIKit/Controls/More.swift", MORE)
        self.put("UIKit/UIScene.swift", "/// A scene.\npublic enum UIScene {\n    case one\n}\n")
        for module in ("AVFoundation", "AVKit", "MapKit", "CoreLocation", "CoreMotion", "Contacts"):
            self.put(f"{module}/Type.swift", f"/// A type.\npublic struct {module}Type {{\n    public var one = 1\n}}\n")

    def put(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def run_script(self, *options, seed="0"):
        page = self.folder / "page.md"
        command = [sys.executable, str(SCRIPT), "--sources", str(self.folder), "--page", str(page), *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONHASHSEED": seed})
        return done, page.read_text() if page.exists() else None

    def test_the_page_has_what_the_sources_declare(self):
        done, page = self.run_script()
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        start = page.index("## UIKit")
        self.assertEqual(page[start:page.index("## AVKit")], TABLES)

    def test_the_page_is_the_same_each_time(self):
        pages = {self.run_script(seed=seed)[1] for seed in ("1", "2", "3", "4")}
        self.assertEqual(len(pages), 1)

    def test_a_page_of_other_sources_is_a_breach(self):
        self.assertEqual(self.run_script("--check")[0].returncode, 1)
        _, page = self.run_script()
        self.assertEqual(self.run_script("--check")[0].returncode, 0)
        for old, new in (("open var value", "var value"), ("show \\\"it\\\" whole", "show it"), ("its ", "her ")):
            self.put("UIKit/Controls/UISlider.swift", SLIDER.replace(old, new))
            self.assertNotEqual(SLIDER.replace(old, new), SLIDER)
            done, kept = self.run_script("--check")
            self.assertEqual((done.returncode, kept), (1, page))
            self.assertRegex(
                done.stdout,
                r"^Sources/UserNotifications/UserNotifications\.docc/WhatWorksOfUIKit\.md:\d+ is not what the sources "
                r"declare: run scripts/uikit-page\n$",
            )

    def test_a_module_without_sources_is_an_error(self):
        (self.folder / "MapKit" / "Type.swift").unlink()
        done, page = self.run_script()
        self.assertEqual((done.returncode, page), (2, None))
        self.assertEqual(done.stderr, f'uikit-page: error: "{self.folder / "MapKit"}" has no sources\n')


if __name__ == "__main__":
    unittest.main()
