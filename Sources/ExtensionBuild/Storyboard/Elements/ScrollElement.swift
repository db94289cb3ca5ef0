// SPDX-License-Identifier: Apache-2.0

/// The properties of UIScrollView.
enum ScrollElement {
    static func write(_ view: PropertyWriter) {
        view.bool("scrollEnabled", "isScrollEnabled")
        view.bool("pagingEnabled", "isPagingEnabled")
        view.bool("directionalLockEnabled", "isDirectionalLockEnabled")
        for name in [
            "automaticallyAdjustsScrollIndicatorInsets", "bounces", "bouncesZoom", "alwaysBounceVertical",
            "alwaysBounceHorizontal", "delaysContentTouches",
            "canCancelContentTouches", "showsHorizontalScrollIndicator", "showsVerticalScrollIndicator",
        ] { view.bool(name) }
        view.number("minimumZoomScale")
        view.number("maximumZoomScale")
        view.choice("indicatorStyle", Choices.indicatorStyles)
        view.choice("keyboardDismissMode", Choices.keyboardDismissals)
        view.choice("contentInsetAdjustmentBehavior", Choices.insetAdjustments)
        view.value("contentInset", GeometryValue.insets)
        view.value("scrollIndicatorInsets", GeometryValue.insets)
        view.value("contentSize", GeometryValue.size)
    }
}
