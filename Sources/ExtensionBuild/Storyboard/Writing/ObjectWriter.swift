// SPDX-License-Identifier: Apache-2.0

/// Turns elements into statements that make their objects, children before parents.
struct ObjectWriter {
    let script: InterfaceScript

    /// Makes a view with all below it; nil, and a warning, for an element that is no view known here.
    func view(_ element: InterfaceElement) -> InterfaceObject? {
        if UIKitClass.absentViews.contains(element.name) { return standIn(for: element) }
        guard let base = UIKitClass.of(element: element.name), base.isView else {
            script.warn(element, "<\(element.name)> is not known here and is left out")
            // What it holds would be named as well, and is left out with it.
            _ = element.readingAll()
            return nil
        }
        let content = base.name == "UIVisualEffectView" ? element.child("view", key: "contentView") : nil
        let excluded = SizeVariation.excluded(from: element, key: "subviews")
        let children = (content ?? element).list("subviews").compactMap { child in
            view(child).map { (object: $0, isIn: !excluded.contains(child.id ?? "")) }
        }
        let name = script.variable(element.name)
        let object = InterfaceObject(
            expression: name,
            className: className(of: element, base: base.name),
            element: element
        )
        let writer = PropertyWriter(element: element, target: "view", script: script)
        let start = base.name == "UIButton" ? ", \(ButtonElement.start(writer))" : ""
        located(object) {
            let make = UIKitClass.named(object.className) == nil ? "customView" : "view"
            script.block("let \(name) = NibCoder.\(make)(\(object.className).self\(start)) { view in") {
                write(base.name, writer)
                if let content { write(content: content, of: writer) }
                let place = content == nil ? "view" : "view.contentView"
                let add = base.name == "UIStackView" ? "addArrangedSubview" : "addSubview"
                for child in children where child.isIn { script.add("\(place).\(add)(\(child.object.expression))") }
                // Outlets may lead to them all the same.
                for child in children where !child.isIn { script.add("_ = \(child.object.expression)") }
            }
        }
        script.register(object)
        register(guidesOf: element, expression: name)
        script.addConstraints(of: element, in: object)
        script.addOwner(object)
        if let content {
            let inner = InterfaceObject(expression: "\(name).contentView", className: "UIView", element: content)
            script.register(inner)
            register(guidesOf: content, expression: inner.expression)
            script.addConstraints(of: content, in: inner)
            script.addOwner(inner)
        }
        return object
    }

    /// Makes an empty view with the place, look and constraints of one whose class is not there.
    private func standIn(for element: InterfaceElement) -> InterfaceObject {
        script.warn(
            element,
            element.name == "containerView"
                ? "the controller of a container view is not made here, and an empty view stands in the view's place; "
                    + "make the controller in viewDidLoad, and add it with addChild"
                : "<\(element.name)> is not known here, and an empty view stands in its place"
        )
        let name = script.variable(element.name)
        let object = InterfaceObject(expression: name, className: "UIView", element: element, isStandIn: true)
        script.block("let \(name) = NibCoder.view(UIView.self) { view in") {
            ViewElement.write(PropertyWriter(element: element, target: "view", script: script))
        }
        script.register(object)
        script.addConstraints(of: element, in: object)
        _ = element.readingAll()
        return object
    }

    /// Makes a recognizer, or an object of a class of the sources; false for other elements.
    func other(_ element: InterfaceElement) -> InterfaceObject? {
        let base = UIKitClass.of(element: element.name)
        guard base?.isGesture == true || element.name == "customObject" else { return nil }
        let object = InterfaceObject(
            expression: script.variable(element.name),
            className: className(of: element, base: base?.name ?? "NSObject"),
            element: element
        )
        let arguments = base == nil ? "" : "target: nil, action: nil"
        located(object) { script.add("let \(object.expression) = \(object.className)(\(arguments))") }
        if base != nil {
            GestureElement.write(PropertyWriter(element: element, target: object.expression, script: script))
        }
        script.register(object)
        script.addOwner(object)
        return object
    }

    /// The class of the element's object: its custom class where the sources have it.
    func className(of element: InterfaceElement, base: String) -> String {
        guard let written = element["customClass"] else { return base }
        let name = script.classes.name(forFile: written)
        // A name that the sources have given the class is one of theirs, such as "Outer.Inner".
        guard name != written || SwiftText.isIdentifier(name) else {
            script.fail(element, "the class \"\(name)\" has a name that Swift does not know")
            return base
        }
        guard script.classes.isKnown(name) else {
            if base == "UIViewController" {
                script.fail(element, "no source has the class \"\(name)\"")
                return name
            }
            script.warn(element, "no source has the class \"\(name)\", a \(base) stands in its place")
            return base
        }
        guard script.classes.fits(name, type: base) != false else {
            script.fail(element, "the class \"\(name)\" is not derived from \(base)")
            return base
        }
        return name
    }

    /// The compiler's errors about classes of the sources point at the file that names them.
    private func located(_ object: InterfaceObject, _ body: () -> Void) {
        script.located(UIKitClass.named(object.className) == nil ? object.element.line : nil, body)
    }

    private func register(guidesOf element: InterfaceElement, expression: String) {
        for guide in element.children where guide.name == "viewLayoutGuide" {
            let properties = [
                "safeArea": "safeAreaLayoutGuide", "layoutMargins": "layoutMarginsGuide",
                "layoutMarginsGuide": "layoutMarginsGuide", "readableContent": "readableContentGuide",
                "readableContentGuide": "readableContentGuide", "contentLayoutGuide": "contentLayoutGuide",
                "frameLayoutGuide": "frameLayoutGuide",
            ]
            if guide.key == "keyboard" {
                register(keyboardGuide: guide.reading(), expression: expression)
                continue
            }
            guard let property = guide.key.flatMap({ properties[$0] }) else { continue }
            script.register(
                InterfaceObject(
                    expression: "\(expression).\(property)",
                    className: "UILayoutGuide",
                    element: guide.reading()
                )
            )
        }
    }

    /// Makes a guide without a height at the lower edge: no keyboard lies over a notification's view.
    ///
    /// Source: Apple, "UIKeyboardLayoutGuide".
    private func register(keyboardGuide guide: InterfaceElement, expression: String) {
        guide.readAttributes()
        let name = script.variable("keyboardGuide")
        script.add("let \(name) = UILayoutGuide()")
        script.add("\(expression).addLayoutGuide(\(name))")
        script.block("NSLayoutConstraint.activate([", tail: "])") {
            for edge in ["leading", "trailing", "bottom"] {
                script.add("\(name).\(edge)Anchor.constraint(equalTo: \(expression).\(edge)Anchor),")
            }
            script.add("\(name).heightAnchor.constraint(equalToConstant: 0),")
        }
        script.register(InterfaceObject(expression: name, className: "UILayoutGuide", element: guide))
    }

    /// The view inside a visual effect's, which is there from the start.
    private func write(content: InterfaceElement, of view: PropertyWriter) {
        content.readAttributes()
        for key in ["frame", "autoresizingMask"] { _ = content.child(key: key)?.readingAll() }
        PropertyWriter(element: content, target: "view.contentView", script: script).color("backgroundColor")
    }

    private func write(_ base: String, _ view: PropertyWriter) {
        ViewElement.write(view)
        switch base {
        case "UILabel": LabelElement.write(view)
        case "UIImageView": PictureElement.writeImageView(view)
        case "UIStackView": PictureElement.writeStack(view)
        case "UIActivityIndicatorView": PictureElement.writeSpinner(view)
        case "UIProgressView": PictureElement.writeProgress(view)
        case "UIVisualEffectView": PictureElement.writeEffect(view)
        case "UIScrollView": ScrollElement.write(view)
        case "UITextView": TextElement.writeView(view)
        case "UITextField": TextElement.writeField(view)
        case "UIControl": ControlElement.write(view)
        case "UIButton": ButtonElement.write(view)
        case "UISlider": ControlElement.writeSlider(view)
        case "UISwitch": ControlElement.writeSwitch(view)
        case "UIStepper": ControlElement.writeStepper(view)
        case "UISegmentedControl": ControlElement.writeSegments(view)
        case "UIPageControl": ControlElement.writePageControl(view)
        case "UIDatePicker": DateElement.write(view)
        case "MKMapView": MapElement.write(view)
        default: break
        }
    }
}
