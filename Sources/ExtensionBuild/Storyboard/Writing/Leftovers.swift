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
        if element.name == "variation", !SizeVariation.applies(element) { return true }
        return elements.contains(element.name) || keys.contains(element.attribute("key") ?? "")
    }

    private static let elements: Set<String> = [
        "capability", "classes", "customFonts", "dependencies", "designables", "deployment", "device", "exit",
        "extendedEdge", "gestureRecognizers", "inferredMetricsTieBreakers", "modalFormSheetSimulatedSizeMetrics", "nil",
        "resources", "tabStops",
    ]
    private static let keys: Set<String> = ["canvasLocation", "freeformSize", "userComments"]

    /// The attributes that Xcode keeps for itself, and those of parts of iOS that no view of a notification has:
    /// navigation, presentation, state restoration, pointers, the canvas.
    private static let attributes: Set<String> = [
        "adjustsLetterSpacingToFit", "ambiguous", "appearanceType", "automaticallyAdjustsScrollViewInsets",
        "clearsContextBeforeDrawing", "colorLabel", "customModule", "customModuleProvider",
        "defersCurrentPageDisplay", "definesPresentationContext", "explicitlyNamed",
        "extendedLayoutIncludesOpaqueBars", "fixedFrame", "focusGroupIdentifier", "hidesBottomBarWhenPushed", "id",
        "key", "largeContentTitle", "layoutMarginsFollowReadableWidth", "misplaced", "modalPresentationStyle",
        "modalTransitionStyle", "placeholderIntrinsicHeight", "placeholderIntrinsicWidth", "pointerInteraction",
        "preferredStyle",
        "propertyAccessControl", "providesPresentationContextTransitionStyle", "restorationIdentifier",
        "reversesTitleShadowWhenHighlighted", "role", "sceneID", "sceneMemberID", "segmentControlStyle",
        "showsExpansionTextWhenTruncated", "showsLargeContentViewer", "simulatedAppContext", "springLoaded",
        "storyboardIdentifier", "symbolic", "useStoryboardIdentifierAsRestorationIdentifier", "userLabel",
        "verifyAmbiguity", "wantsFullScreenLayout",
    ]
}
