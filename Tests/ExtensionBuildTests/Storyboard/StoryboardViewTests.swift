// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// The statements for each attribute of each view that Xcode's library has.
@Suite struct StoryboardViewTests {
    private static func statements(_ element: String, of variable: String) throws -> [String] {
        let output = try GeneratedSource(StoryboardText.storyboard(views: element))
        #expect(output.troubles == [])
        return output.statements(of: variable)
    }

    @Test(
        "a view with a fixed frame is placed by it and its mask",
        arguments: [
            ("fixedFrame=\"YES\" translatesAutoresizingMaskIntoConstraints=\"NO\"", []),
            ("fixedFrame=\"YES\"", []),
            (
                "fixedFrame=\"NO\" translatesAutoresizingMaskIntoConstraints=\"NO\"",
                ["view.translatesAutoresizingMaskIntoConstraints = false"]
            ),
        ]
    )
    func fixedFrame(attributes: String, rest: [String]) throws {
        let element = """
            <view \(attributes) id="v"><rect key="frame" x="16" y="8" width="100" height="21"/>
            <autoresizingMask key="autoresizingMask" widthSizable="YES" flexibleMaxY="YES"/></view>
            """
        #expect(
            try Self.statements(element, of: "view1") == [
                "view.frame = CGRect(x: 16, y: 8, width: 100, height: 21)",
                "view.autoresizingMask = [.flexibleWidth, .flexibleBottomMargin]",
            ] + rest
        )
    }

    @Test("a view has a frame, a mask, a look, priorities and margins")
    func view() throws {
        let element = """
            <view contentMode="scaleAspectFit" alpha="0.5" hidden="YES" opaque="NO" clipsSubviews="YES" tag="7"
                userInteractionEnabled="NO" multipleTouchEnabled="YES" autoresizesSubviews="NO"
                semanticContentAttribute="forceRightToLeft" horizontalHuggingPriority="251"
                verticalHuggingPriority="252" horizontalCompressionResistancePriority="749"
                verticalCompressionResistancePriority="748.5" insetsLayoutMarginsFromSafeArea="NO"
                preservesSuperviewLayoutMargins="YES" translatesAutoresizingMaskIntoConstraints="NO" id="v">
                <rect key="frame" x="1" y="-2.5" width="320" height="37"/>
                <autoresizingMask key="autoresizingMask" flexibleMinX="YES" widthSizable="YES" flexibleMaxX="YES"
                    flexibleMinY="YES" heightSizable="YES" flexibleMaxY="YES"/>
                <color key="tintColor" systemColor="systemPinkColor"/><color key="backgroundColor" white="1" alpha="1"/>
                <edgeInsets key="layoutMargins" top="1" left="2" bottom="3" right="4"/>
                <directionalEdgeInsets key="directionalLayoutMargins" top="1" leading="2" bottom="3" trailing="4"/>
            </view>
            """
        #expect(
            try Self.statements(element, of: "view1") == [
                "view.frame = CGRect(x: 1, y: -2.5, width: 320, height: 37)",
                "view.autoresizingMask = [.flexibleLeftMargin, .flexibleWidth, .flexibleRightMargin, "
                    + ".flexibleTopMargin, .flexibleHeight, .flexibleBottomMargin]",
                "view.translatesAutoresizingMaskIntoConstraints = false",
                "view.contentMode = .scaleAspectFit",
                "view.alpha = 0.5",
                "view.isHidden = true",
                "view.isOpaque = false",
                "view.clipsToBounds = true",
                "view.isUserInteractionEnabled = false",
                "view.isMultipleTouchEnabled = true",
                "view.autoresizesSubviews = false",
                "view.tag = 7",
                "view.semanticContentAttribute = .forceRightToLeft",
                "view.tintColor = UIColor.systemPink",
                "view.backgroundColor = UIColor(white: 1, alpha: 1)",
                "view.setContentHuggingPriority(UILayoutPriority(251), for: .horizontal)",
                "view.setContentHuggingPriority(UILayoutPriority(252), for: .vertical)",
                "view.setContentCompressionResistancePriority(UILayoutPriority(749), for: .horizontal)",
                "view.setContentCompressionResistancePriority(UILayoutPriority(748.5), for: .vertical)",
                "view.insetsLayoutMarginsFromSafeArea = false",
                "view.preservesSuperviewLayoutMargins = true",
                "view.layoutMargins = UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)",
                "view.directionalLayoutMargins = NSDirectionalEdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)",
            ]
        )
    }

    @Test("a view has texts and traits for screen readers")
    func accessibility() throws {
        let element = """
            <view id="v"><accessibility key="accessibilityConfiguration" label="L" hint="H" identifier="I">
            <accessibilityTraits key="traits" button="YES" link="NO" image="YES"/><bool key="isElement" value="YES"/>
            </accessibility></view>
            """
        #expect(
            try Self.statements(element, of: "view1") == [
                "view.accessibilityLabel = \"L\"", "view.accessibilityHint = \"H\"",
                "view.accessibilityIdentifier = \"I\"", "view.isAccessibilityElement = true",
                "view.accessibilityTraits = [.button, .image]",
            ]
        )
    }

    @Test("a label has a text, a font and rules for what does not fit")
    func label() throws {
        let element = """
            <label text="Hello" textAlignment="center" lineBreakMode="tailTruncation" numberOfLines="0" enabled="NO"
                baselineAdjustment="alignCenters" adjustsFontSizeToFit="YES" minimumScaleFactor="0.5" highlighted="YES"
                adjustsFontForContentSizeCategory="YES" allowsDefaultTighteningForTruncation="YES"
                preferredMaxLayoutWidth="300" adjustsLetterSpacingToFit="NO" id="v">
                <fontDescription key="fontDescription" type="boldSystem" pointSize="17"/>
                <color key="textColor" systemColor="labelColor"/><color key="highlightedColor" white="0" alpha="1"/>
                <color key="shadowColor" white="1" alpha="1"/><size key="shadowOffset" width="0.0" height="-1"/>
            </label>
            """
        #expect(
            try Self.statements(element, of: "label1") == [
                "view.isUserInteractionEnabled = true",
                "view.font = UIFont.boldSystemFont(ofSize: 17)",
                "view.textColor = UIColor.label",
                "view.highlightedTextColor = UIColor(white: 0, alpha: 1)",
                "view.shadowColor = UIColor(white: 1, alpha: 1)",
                "view.shadowOffset = CGSize(width: 0, height: -1)",
                "view.textAlignment = .center",
                "view.numberOfLines = 0",
                "view.lineBreakMode = .byTruncatingTail",
                "view.baselineAdjustment = .alignCenters",
                "view.adjustsFontSizeToFitWidth = true",
                "view.minimumScaleFactor = 0.5",
                "view.adjustsFontForContentSizeCategory = true",
                "view.allowsDefaultTighteningForTruncation = true",
                "view.preferredMaxLayoutWidth = 300",
                "view.isEnabled = false",
                "view.isHighlighted = true",
                "view.text = \"Hello\"",
            ]
        )
    }

    @Test("a label's smallest size of font is a share of its font")
    func smallestFont() throws {
        let element = """
            <label userInteractionEnabled="NO" minimumFontSize="8.5" id="v">
            <fontDescription key="fontDescription" type="system" pointSize="17"/></label>
            """
        #expect(
            try Self.statements(element, of: "label1") == [
                "view.isUserInteractionEnabled = false", "view.font = UIFont.systemFont(ofSize: 17)",
                "view.minimumScaleFactor = 0.5",
            ]
        )
    }

    @Test("an image view has pictures of the bundle or symbols")
    func imageView() throws {
        let element = """
            <imageView userInteractionEnabled="NO" image="logo" highlightedImage="logo-on" highlighted="YES"
                adjustsImageSizeForAccessibilityContentSizeCategory="YES" id="v">
                <preferredSymbolConfiguration key="preferredSymbolConfiguration" configurationType="pointSize"
                    pointSize="40" scale="large" weight="semibold"/></imageView>
            """
        #expect(
            try Self.statements(element, of: "imageView1") == [
                "view.isUserInteractionEnabled = false",
                "view.image = UIImage(named: \"logo\")", "view.highlightedImage = UIImage(named: \"logo-on\")",
                "view.preferredSymbolConfiguration = UIImage.SymbolConfiguration(pointSize: 40, weight: .semibold, "
                    + "scale: .large)",
                "view.isHighlighted = true", "view.adjustsImageSizeForAccessibilityContentSizeCategory = true",
            ]
        )
    }

    @Test("the system's catalogue is that of the picture, not of the others beside it")
    func catalogs() throws {
        let element = "<imageView image=\"star\" catalog=\"system\" highlightedImage=\"logo\" id=\"v\"/>"
        #expect(
            try Self.statements(element, of: "imageView1") == [
                "view.isUserInteractionEnabled = true", "view.image = UIImage(systemName: \"star\")",
                "view.highlightedImage = UIImage(named: \"logo\")",
            ]
        )
    }

    @Test("a stack view arranges its views")
    func stack() throws {
        let element = """
            <stackView axis="vertical" distribution="fillEqually" alignment="lastBaseline" spacing="8"
                baselineRelativeArrangement="YES" layoutMarginsRelativeArrangement="YES" id="v">
                <subviews><label userInteractionEnabled="NO" id="l"/></subviews></stackView>
            """
        #expect(
            try Self.statements(element, of: "stackView1") == [
                "view.axis = .vertical", "view.distribution = .fillEqually", "view.alignment = .lastBaseline",
                "view.spacing = 8", "view.isBaselineRelativeArrangement = true",
                "view.isLayoutMarginsRelativeArrangement = true", "view.addArrangedSubview(label1)",
            ]
        )
        let standard = "<stackView spacingType=\"standard\" id=\"v\"/>"
        #expect(try Self.statements(standard, of: "stackView1") == ["view.spacing = 8"])
    }

    @Test("a scroll view has its behaviour, insets and delegate")
    func scroll() throws {
        let element = """
            <scrollView scrollEnabled="NO" pagingEnabled="YES" directionalLockEnabled="YES" bounces="NO"
                bouncesZoom="NO" alwaysBounceVertical="YES" alwaysBounceHorizontal="YES" delaysContentTouches="NO"
                canCancelContentTouches="NO" showsHorizontalScrollIndicator="NO" showsVerticalScrollIndicator="NO"
                minimumZoomScale="0.5" maximumZoomScale="2" indicatorStyle="white" keyboardDismissMode="onDrag"
                contentInsetAdjustmentBehavior="never" id="v">
                <inset key="contentInset" minX="1" minY="2" maxX="3" maxY="4"/>
                <inset key="scrollIndicatorInsets" minX="0.0" minY="0.0" maxX="0.0" maxY="0.0"/>
            </scrollView>
            """
        #expect(
            try Self.statements(element, of: "scrollView1") == [
                "view.isScrollEnabled = false", "view.isPagingEnabled = true", "view.isDirectionalLockEnabled = true",
                "view.bounces = false", "view.bouncesZoom = false", "view.alwaysBounceVertical = true",
                "view.alwaysBounceHorizontal = true", "view.delaysContentTouches = false",
                "view.canCancelContentTouches = false", "view.showsHorizontalScrollIndicator = false",
                "view.showsVerticalScrollIndicator = false", "view.minimumZoomScale = 0.5",
                "view.maximumZoomScale = 2", "view.indicatorStyle = .white", "view.keyboardDismissMode = .onDrag",
                "view.contentInsetAdjustmentBehavior = .never",
                "view.contentInset = UIEdgeInsets(top: 2, left: 1, bottom: 4, right: 3)",
                "view.scrollIndicatorInsets = UIEdgeInsets(top: 0, left: 0, bottom: 0, right: 0)",
            ]
        )
    }

    @Test("a visual effect's views are in its content view")
    func visualEffect() throws {
        let element = """
            <visualEffectView id="v"><view key="contentView" opaque="NO" id="i">\(StoryboardText.rect)
            <autoresizingMask key="autoresizingMask"/><subviews><view id="x"/></subviews>
            <color key="backgroundColor" white="0" alpha="0"/></view>
            <vibrancyEffect style="label"><blurEffect style="systemThinMaterial"/></vibrancyEffect></visualEffectView>
            """
        #expect(
            try Self.statements(element, of: "visualEffectView1") == [
                "view.effect = UIVibrancyEffect(blurEffect: UIBlurEffect(style: .systemThinMaterial))",
                "view.contentView.backgroundColor = UIColor(white: 0, alpha: 0)",
                "view.contentView.addSubview(view1)",
            ]
        )
        let blur = "<visualEffectView id=\"v\"><blurEffect style=\"dark\"/></visualEffectView>"
        #expect(
            try Self.statements(blur, of: "visualEffectView1") == ["view.effect = UIBlurEffect(style: .dark)"]
        )
    }

    @Test("progress and activity are shown")
    func indicators() throws {
        let progress = """
            <progressView progressViewStyle="bar" progress="0.5" progressImage="a" trackImage="b" id="v">
            <color key="progressTintColor" white="0" alpha="1"/><color key="trackTintColor" white="1" alpha="1"/>
            </progressView>
            """
        #expect(
            try Self.statements(progress, of: "progressView1") == [
                "view.progressViewStyle = .bar", "view.progress = 0.5",
                "view.progressTintColor = UIColor(white: 0, alpha: 1)",
                "view.trackTintColor = UIColor(white: 1, alpha: 1)",
                "view.progressImage = UIImage(named: \"a\")", "view.trackImage = UIImage(named: \"b\")",
            ]
        )
        let spinner = """
            <activityIndicatorView animating="YES" style="whiteLarge" id="v"><color key="color" white="0" alpha="1"/>
            </activityIndicatorView>
            """
        #expect(
            try Self.statements(spinner, of: "activityIndicatorView1") == [
                "view.style = .large", "view.color = UIColor(white: 0, alpha: 1)", "view.hidesWhenStopped = false",
                "view.startAnimating()",
            ]
        )
    }
}
