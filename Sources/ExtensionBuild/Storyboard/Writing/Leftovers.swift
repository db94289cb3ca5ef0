// SPDX-License-Identifier: Apache-2.0

/// Names all elements and attributes that nobody has read, but for those that mean something to Xcode alone.
struct Leftovers {
    let script: InterfaceScript

    func report(_ element: InterfaceElement) {
        for attribute in element.unreadAttributes where !Self.attributes.contains(attribute) {
            script.warn(
                element,
                "the attribute \(attribute)=\"\(element.attribute(attribute) ?? "")\" is not known here"
            )
        }
        for child in element.children where !Self.isMeaningless(child) {
            if child.isRead {
                report(child)
            } else {
                let key = child.key.map { " key=\"\($0)\"" } ?? ""
                script.warn(child, "the element <\(child.name)\(key)> is not known here")
            }
        }
    }

    private static func isMeaningless(_ element: InterfaceElement) -> Bool {
        // Bars and sizes that the canvas shows around a view.
        let names = [element.name, element.attribute("key") ?? ""]
        if names.contains(where: { $0.hasPrefix("simulated") }) { return true }
        // Values of a variation that holds are those of the element around it.
        if element.name == "variation", !SizeVariation.applies(element) || element.children.isEmpty { return true }
        return elements.contains(element.name) || keys.contains(element.attribute("key") ?? "")
    }

    private static let elements: Set<String> = [
        "capability", "classes", "customFonts", "dependencies", "designables", "deployment", "device", "exit",
        "extendedEdge", "gestureRecognizers", "inferredMetricsTieBreakers", "keyCommands",
        "modalFormSheetSimulatedSizeMetrics", "navigationItem", "nil", "resources", "tabBarItem", "tabStops",
        "toolbarItems",
    ]
    private static let keys: Set<String> = [
        "canvasLocation", "contentStretch", "freeformSize", "largeContentImage", "userComments",
    ]

    /// The attributes that Xcode keeps for itself, and those of parts of iOS that no view of a notification has:
    /// navigation, presentation, state restoration, pointers, the canvas.
    private static let attributes: Set<String> = [
        "activityIndicatorColorTransformer", "adjustsLetterSpacingToFit", "ambiguous", "appearanceType",
        "automaticallyAdjustsScrollViewInsets", "backgroundColorTransformer",
        "clearsContextBeforeDrawing", "colorLabel", "customModule", "customModuleProvider",
        "defersCurrentPageDisplay", "definesPresentationContext", "explicitlyNamed",
        "extendedLayoutIncludesOpaqueBars", "focusGroupIdentifier", "hidesBottomBarWhenPushed", "id",
        "imageColorTransformer", "imageContentMode",
        "key", "largeContentTitle", "macIdiomStyle", "layoutMarginsFollowReadableWidth", "misplaced",
        "modalPresentationStyle",
        "modalTransitionStyle", "placeholderIntrinsicHeight", "placeholderIntrinsicWidth", "pointerInteraction",
        "preferredBehavioralStyle", "preferredStyle",
        "propertyAccessControl", "providesPresentationContextTransitionStyle", "restorationIdentifier",
        "reversesTitleShadowWhenHighlighted", "role", "sceneID", "sceneMemberID", "segmentControlStyle",
        "showsExpansionTextWhenTruncated", "showsLargeContentViewer", "simulatedAppContext", "springLoaded",
        "storyboardIdentifier", "strokeColorTransformer", "symbolType", "symbolic", "toolTip",
        "useStoryboardIdentifierAsRestorationIdentifier", "userLabel",
        "verifyAmbiguity", "wantsFullScreenLayout",
    ]
}
