// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// The statements for each attribute of each control that Xcode's library has.
@Suite struct StoryboardControlTests {
    private static func statements(_ element: String, of variable: String) throws -> [String] {
        let output = try GeneratedSource(StoryboardText.storyboard(views: element))
        #expect(output.troubles == [])
        return output.statements(of: variable)
    }

    @Test("every control has alignments and a state")
    func control() throws {
        let element = """
            <control contentHorizontalAlignment="leading" contentVerticalAlignment="top" enabled="NO" highlighted="YES"
                selected="YES" id="v"/>
            """
        #expect(
            try Self.statements(element, of: "control1") == [
                "view.contentHorizontalAlignment = .leading", "view.contentVerticalAlignment = .top",
                "view.isEnabled = false", "view.isHighlighted = true", "view.isSelected = true",
            ]
        )
    }

    @Test("a button has titles, colours and images by state")
    func button() throws {
        let element = """
            <button lineBreakMode="middleTruncation" buttonType="roundedRect" showsTouchWhenHighlighted="YES"
                adjustsImageWhenHighlighted="NO" adjustsImageWhenDisabled="NO" id="v">
                <fontDescription key="fontDescription" type="system" pointSize="15"/>
                <inset key="contentEdgeInsets" minX="1" minY="2" maxX="3" maxY="4"/>
                <inset key="titleEdgeInsets" minX="1" minY="2" maxX="3" maxY="4"/>
                <inset key="imageEdgeInsets" minX="1" minY="2" maxX="3" maxY="4"/>
                <size key="titleShadowOffset" width="0.0" height="1"/>
                <state key="normal" title="Go" image="logo" backgroundImage="back">
                    <color key="titleColor" white="0" alpha="1"/><color key="titleShadowColor" white="1" alpha="1"/>
                    <preferredSymbolConfiguration key="preferredSymbolConfiguration" weight="bold"/></state>
                <state key="highlighted"><string key="title">Going</string></state>
                <state key="disabled"><attributedString key="attributedTitle"><fragment content="No"/>
                </attributedString></state>
                <state key="selected" image="star" catalog="system"/></button>
            """
        let output = try GeneratedSource(StoryboardText.storyboard(views: element))
        #expect(output.troubles == [])
        #expect(
            output.lines.contains(
                "let button1 = NibCoder.view(UIButton.self, values: [\"UIButtonType\": "
                    + "UIButton.ButtonType.system.rawValue]) { view in"
            )
        )
        #expect(
            output.statements(of: "button1") == [
                "view.contentEdgeInsets = UIEdgeInsets(top: 2, left: 1, bottom: 4, right: 3)",
                "view.titleEdgeInsets = UIEdgeInsets(top: 2, left: 1, bottom: 4, right: 3)",
                "view.imageEdgeInsets = UIEdgeInsets(top: 2, left: 1, bottom: 4, right: 3)",
                "view.adjustsImageWhenHighlighted = false", "view.adjustsImageWhenDisabled = false",
                "view.showsTouchWhenHighlighted = true", "view.titleLabel?.font = UIFont.systemFont(ofSize: 15)",
                "view.titleLabel?.lineBreakMode = .byTruncatingMiddle",
                "view.titleLabel?.shadowOffset = CGSize(width: 0, height: 1)",
                "view.setTitle(\"Go\", for: .normal)",
                "view.setTitleColor(UIColor(white: 0, alpha: 1), for: .normal)",
                "view.setTitleShadowColor(UIColor(white: 1, alpha: 1), for: .normal)",
                "view.setImage(UIImage(named: \"logo\"), for: .normal)",
                "view.setBackgroundImage(UIImage(named: \"back\"), for: .normal)",
                "view.setPreferredSymbolConfiguration(UIImage.SymbolConfiguration(weight: .bold), forImageIn: .normal)",
                "view.setTitle(\"Going\", for: .highlighted)",
                "do {", "let text = NSMutableAttributedString(string: \"\")",
                "text.append(NSAttributedString(string: \"No\"))",
                "view.setAttributedTitle(text, for: .disabled)", "}",
                "view.setImage(UIImage(systemName: \"star\"), for: .selected)",
            ]
        )
    }

    @Test("a button has a configuration")
    func configuration() throws {
        let element = """
            <button id="v"><state key="normal" title="Button"/>
            <buttonConfiguration key="configuration" style="filled" image="star" catalog="system" title="Press"
                subtitle="Sub" cornerStyle="capsule" buttonSize="large" imagePlacement="trailing" imagePadding="4"
                titlePadding="2" titleAlignment="center" showsActivityIndicator="YES">
                <fontDescription key="titleFontDescription" type="boldSystem" pointSize="17"/>
                <color key="baseForegroundColor" white="1" alpha="1"/>
                <color key="baseBackgroundColor" systemColor="systemBlueColor"/>
                <directionalEdgeInsets key="contentInsets" top="1" leading="2" bottom="3" trailing="4"/>
                <backgroundConfiguration key="background" image="logo" cornerRadius="5" strokeWidth="1">
                    <color key="backgroundColor" white="0" alpha="1"/><color key="strokeColor" white="1" alpha="1"/>
                </backgroundConfiguration>
                <preferredSymbolConfiguration key="preferredSymbolConfiguration" scale="large"/>
            </buttonConfiguration></button>
            """
        #expect(
            try Self.statements(element, of: "button1") == [
                "view.setTitle(\"Button\", for: .normal)",
                "do {", "var configuration = UIButton.Configuration.filled()", "configuration.title = \"Press\"",
                "configuration.subtitle = \"Sub\"",
                "configuration.titleTextAttributesTransformer = UIConfigurationTextAttributesTransformer { old in",
                "var attributes = old", "attributes.font = UIFont.boldSystemFont(ofSize: 17)", "return attributes",
                "}", "configuration.image = UIImage(systemName: \"star\")",
                "configuration.preferredSymbolConfigurationForImage = UIImage.SymbolConfiguration(scale: .large)",
                "configuration.cornerStyle = .capsule", "configuration.buttonSize = .large",
                "configuration.imagePlacement = .trailing", "configuration.titleAlignment = .center",
                "configuration.imagePadding = 4", "configuration.titlePadding = 2",
                "configuration.showsActivityIndicator = true",
                "configuration.baseForegroundColor = UIColor(white: 1, alpha: 1)",
                "configuration.baseBackgroundColor = UIColor.systemBlue",
                "configuration.contentInsets = NSDirectionalEdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)",
                "configuration.background.backgroundColor = UIColor(white: 0, alpha: 1)",
                "configuration.background.cornerRadius = 5", "configuration.background.strokeWidth = 1",
                "configuration.background.strokeColor = UIColor(white: 1, alpha: 1)",
                "configuration.background.image = UIImage(named: \"logo\")", "view.configuration = configuration", "}",
            ]
        )
        let rich = """
            <button id="v"><buttonConfiguration key="configuration" style="plain">
            <attributedString key="attributedTitle"><fragment content="Rich"><attributes>
            <font key="NSFont" size="18" metaFont="system"/><color key="NSColor" white="0" alpha="1"/></attributes>
            </fragment></attributedString>
            </buttonConfiguration></button>
            """
        #expect(
            try Self.statements(rich, of: "button1") == [
                "do {", "var configuration = UIButton.Configuration.plain()", "do {", "var text = AttributedString()",
                "var part1 = AttributedString(\"Rich\")", "part1.font = UIFont.systemFont(ofSize: 18)",
                "part1.foregroundColor = UIColor(white: 0, alpha: 1)", "text.append(part1)",
                "configuration.attributedTitle = text", "}", "view.configuration = configuration", "}",
            ]
        )
    }

    @Test("a slider has its range before its value")
    func slider() throws {
        let element = """
            <slider value="0.25" minValue="-1" maxValue="1" continuous="NO" minimumValueImage="low" id="v">
            <imageReference key="maximumValueImage" image="sun.max" catalog="system" renderingMode="template"/>
            <color key="minimumTrackTintColor" white="0" alpha="1"/>
            <color key="maximumTrackTintColor" white="1" alpha="1"/><color key="thumbTintColor" white="0.5" alpha="1"/>
            </slider>
            """
        #expect(
            try Self.statements(element, of: "slider1") == [
                "view.minimumValue = -1", "view.maximumValue = 1", "view.value = 0.25", "view.isContinuous = false",
                "view.minimumValueImage = UIImage(named: \"low\")",
                "view.maximumValueImage = UIImage(systemName: \"sun.max\")?.withRenderingMode(.alwaysTemplate)",
                "view.minimumTrackTintColor = UIColor(white: 0, alpha: 1)",
                "view.maximumTrackTintColor = UIColor(white: 1, alpha: 1)",
                "view.thumbTintColor = UIColor(white: 0.5, alpha: 1)",
            ]
        )
    }

    @Test("a switch, a stepper and a page control have their values")
    func values() throws {
        let toggle = """
            <switch on="YES" id="v"><color key="onTintColor" white="0" alpha="1"/>
            <color key="thumbTintColor" white="1" alpha="1"/></switch>
            """
        #expect(
            try Self.statements(toggle, of: "switch1") == [
                "view.isOn = true", "view.onTintColor = UIColor(white: 0, alpha: 1)",
                "view.thumbTintColor = UIColor(white: 1, alpha: 1)",
            ]
        )
        let stepper = """
            <stepper value="2" minimumValue="1" maximumValue="100" stepValue="0.5" continuous="NO" autorepeat="NO"
                wraps="YES" id="v"/>
            """
        #expect(
            try Self.statements(stepper, of: "stepper1") == [
                "view.minimumValue = 1", "view.maximumValue = 100", "view.stepValue = 0.5", "view.value = 2",
                "view.isContinuous = false", "view.autorepeat = false", "view.wraps = true",
            ]
        )
        let pages = """
            <pageControl hidesForSinglePage="YES" numberOfPages="3" currentPage="1" id="v">
            <color key="pageIndicatorTintColor" white="0" alpha="1"/>
            <color key="currentPageIndicatorTintColor" white="1" alpha="1"/></pageControl>
            """
        #expect(
            try Self.statements(pages, of: "pageControl1") == [
                "view.numberOfPages = 3", "view.currentPage = 1", "view.hidesForSinglePage = true",
                "view.pageIndicatorTintColor = UIColor(white: 0, alpha: 1)",
                "view.currentPageIndicatorTintColor = UIColor(white: 1, alpha: 1)",
            ]
        )
    }

    @Test("a segmented control has its segments before its selection")
    func segments() throws {
        let element = """
            <segmentedControl segmentControlStyle="plain" selectedSegmentIndex="1" momentary="YES"
                apportionsSegmentWidthsByContent="YES" id="v">
            <segments><segment title="First"/><segment title="Second" width="50" enabled="NO"/>
            <segment title="" image="logo"/></segments><color key="selectedSegmentTintColor" white="0" alpha="1"/>
            </segmentedControl>
            """
        #expect(
            try Self.statements(element, of: "segmentedControl1") == [
                "view.insertSegment(withTitle: \"First\", at: 0, animated: false)",
                "view.insertSegment(withTitle: \"Second\", at: 1, animated: false)",
                "view.setWidth(50, forSegmentAt: 1)", "view.setEnabled(false, forSegmentAt: 1)",
                "view.insertSegment(with: UIImage(named: \"logo\"), at: 2, animated: false)",
                "view.isMomentary = true", "view.apportionsSegmentWidthsByContent = true",
                "view.selectedSegmentTintColor = UIColor(white: 0, alpha: 1)", "view.selectedSegmentIndex = 1",
            ]
        )
    }

    @Test("a text field has a look, texts and rules for typing")
    func textField() throws {
        let element = """
            <textField text="t" borderStyle="roundedRect" placeholder="Name" textAlignment="natural"
                minimumFontSize="17" adjustsFontSizeToFit="NO" clearButtonMode="whileEditing"
                clearsOnBeginEditing="YES" adjustsFontForContentSizeCategory="YES" background="a"
                disabledBackground="b" id="v"><color key="textColor" white="0" alpha="1"/>
            <fontDescription key="fontDescription" type="system" pointSize="14"/>
            <textInputTraits key="textInputTraits" autocapitalizationType="words" autocorrectionType="no"
                spellCheckingType="yes" keyboardType="emailAddress" keyboardAppearance="alert" returnKeyType="send"
                enablesReturnKeyAutomatically="YES" secureTextEntry="YES" smartDashesType="no"
                smartInsertDeleteType="no" smartQuotesType="no" textContentType="email"/></textField>
            """
        #expect(
            try Self.statements(element, of: "textField1") == [
                "view.font = UIFont.systemFont(ofSize: 14)", "view.textColor = UIColor(white: 0, alpha: 1)",
                "view.textAlignment = .natural", "view.borderStyle = .roundedRect",
                "view.clearButtonMode = .whileEditing", "view.clearsOnBeginEditing = true",
                "view.adjustsFontSizeToFitWidth = false", "view.adjustsFontForContentSizeCategory = true",
                "view.minimumFontSize = 17", "view.background = UIImage(named: \"a\")",
                "view.disabledBackground = UIImage(named: \"b\")", "view.placeholder = \"Name\"", "view.text = \"t\"",
                "view.isSecureTextEntry = true", "view.enablesReturnKeyAutomatically = true",
                "view.keyboardType = .emailAddress", "view.returnKeyType = .send",
                "view.autocapitalizationType = .words", "view.autocorrectionType = .no",
                "view.spellCheckingType = .yes", "view.smartDashesType = .no", "view.smartQuotesType = .no",
                "view.smartInsertDeleteType = .no", "view.keyboardAppearance = .dark",
                "view.textContentType = UITextContentType(rawValue: \"email\")",
            ]
        )
    }

    @Test("a text view has texts and detectors")
    func textView() throws {
        let element = """
            <textView editable="NO" selectable="NO" textAlignment="right" id="v"
                adjustsFontForContentSizeCategory="YES">
            <string key="text">two
            lines</string><fontDescription key="fontDescription" style="UICTFontTextStyleBody"/>
            <color key="textColor" white="0" alpha="1"/>
            <dataDetectorType key="dataDetectorTypes" link="YES" phoneNumber="YES"/></textView>
            """
        #expect(
            try Self.statements(element, of: "textView1") == [
                "view.font = UIFont.preferredFont(forTextStyle: .body)",
                "view.textColor = UIColor(white: 0, alpha: 1)", "view.textAlignment = .right",
                "view.isEditable = false", "view.isSelectable = false",
                "view.adjustsFontForContentSizeCategory = true", "view.text = \"two\\nlines\"",
                "view.dataDetectorTypes = [.phoneNumber, .link]",
            ]
        )
    }

    @Test("a date picker has a mode, its range and its date")
    func datePicker() throws {
        let element = """
            <datePicker datePickerMode="date" minuteInterval="5" style="compact" useCurrentDate="YES"
                countDownDuration="60" id="v"><date key="date" timeIntervalSinceReferenceDate="700000000"/>
            <date key="minimumDate" timeIntervalSinceReferenceDate="1"/>
            <date key="maximumDate" timeIntervalSinceReferenceDate="800000000.5"/>
            <locale key="locale" localeIdentifier="de_DE"/><timeZone key="timeZone" name="Europe/Berlin"/></datePicker>
            """
        #expect(
            try Self.statements(element, of: "datePicker1") == [
                "view.datePickerMode = .date", "view.preferredDatePickerStyle = .compact", "view.minuteInterval = 5",
                "view.minimumDate = Date(timeIntervalSinceReferenceDate: 1)",
                "view.maximumDate = Date(timeIntervalSinceReferenceDate: 800000000.5)",
                "view.date = Date(timeIntervalSinceReferenceDate: 700000000)", "view.countDownDuration = 60",
                "view.locale = Locale(identifier: \"de_DE\")",
                "view.timeZone = TimeZone(identifier: \"Europe/Berlin\")",
            ]
        )
    }
}
