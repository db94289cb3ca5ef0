// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// Whole sources of whole files.
@Suite struct StoryboardGoldenTests {
    /// The storyboard of Xcode 15's template "Notification Content Extension", with its lines broken.
    private static let template = """
        <?xml version="1.0" encoding="UTF-8" standalone="no"?>
        <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" version="3.0" toolsVersion="22155"
            targetRuntime="iOS.CocoaTouch" propertyAccessControl="none" useAutolayout="YES" useTraitCollections="YES"
            useSafeAreas="YES" colorMatched="YES" initialViewController="M4Y-Lb-cyx">
            <device id="retina6_12" orientation="portrait" appearance="light"/>
            <dependencies>
                <plugIn identifier="com.apple.InterfaceBuilder.IBCocoaTouchPlugin" version="22131"/>
                <capability name="Safe area layout guides" minToolsVersion="9.0"/>
                <capability name="documents saved in the Xcode 8 format" minToolsVersion="8.0"/>
            </dependencies>
            <scenes>
                <!--Notification View Controller-->
                <scene sceneID="cwh-vc-ff4">
                    <objects>
                        <viewController id="M4Y-Lb-cyx" userLabel="Notification View Controller"
                            customClass="NotificationViewController" customModule="Content"
                            customModuleProvider="target" sceneMemberID="viewController">
                            <view key="view" contentMode="scaleToFill" simulatedAppContext="notificationCenter"
                                id="S3S-Oj-5AN">
                                <rect key="frame" x="0.0" y="0.0" width="320" height="37"/>
                                <autoresizingMask key="autoresizingMask" widthSizable="YES" heightSizable="YES"/>
                                <subviews>
                                    <label opaque="NO" clipsSubviews="YES" userInteractionEnabled="NO"
                                        contentMode="left" horizontalHuggingPriority="251"
                                        verticalHuggingPriority="251" text="Hello World" textAlignment="center"
                                        lineBreakMode="tailTruncation" baselineAdjustment="alignBaselines"
                                        adjustsFontSizeToFit="NO" translatesAutoresizingMaskIntoConstraints="NO"
                                        id="GcN-lo-r42">
                                        <rect key="frame" x="0.0" y="0.0" width="320" height="37"/>
                                        <fontDescription key="fontDescription" type="system" pointSize="17"/>
                                        <color key="textColor" systemColor="labelColor"/>
                                        <nil key="highlightedColor"/>
                                    </label>
                                </subviews>
                                <viewLayoutGuide key="safeArea" id="2BE-c3-nQJ"/>
                                <color key="backgroundColor" red="0.45882353186607361" green="0.74901962280273438"
                                    blue="0.66666668653488159" alpha="1" colorSpace="custom" customColorSpace="sRGB"/>
                                <constraints>
                                    <constraint firstItem="2BE-c3-nQJ" firstAttribute="trailing"
                                        secondItem="GcN-lo-r42" secondAttribute="trailing" id="L8K-9R-egU"/>
                                    <constraint firstItem="2BE-c3-nQJ" firstAttribute="bottom"
                                        secondItem="GcN-lo-r42" secondAttribute="bottom" id="0FQ-0V-lPZ"/>
                                    <constraint firstItem="GcN-lo-r42" firstAttribute="leading"
                                        secondItem="2BE-c3-nQJ" secondAttribute="leading" id="6Vq-gs-PHe"/>
                                    <constraint firstItem="GcN-lo-r42" firstAttribute="top"
                                        secondItem="2BE-c3-nQJ" secondAttribute="top" id="mYS-Cv-VNx"/>
                                </constraints>
                            </view>
                            <extendedEdge key="edgesForExtendedLayout"/>
                            <freeformSimulatedSizeMetrics key="simulatedDestinationMetrics"/>
                            <size key="freeformSize" width="320" height="37"/>
                            <connections>
                                <outlet property="label" destination="GcN-lo-r42" id="0Va-Cy-Y2x"/>
                            </connections>
                        </viewController>
                        <placeholder placeholderIdentifier="IBFirstResponder" id="vXZ-lx-hvc"
                            userLabel="First Responder" sceneMemberID="firstResponder"/>
                    </objects>
                </scene>
            </scenes>
        </document>
        """

    private static let classes = [
        InterfaceClass(
            name: "NotificationViewController",
            superclass: "UIViewController",
            outlets: [.init(name: "label", type: "UILabel?")]
        )
    ]

    @Test("the storyboard of Xcode's template becomes one enumeration with two functions")
    func template() throws {
        let output = try GeneratedSource(
            Self.template,
            classes: Self.classes,
            path: "Base.lproj/MainInterface.storyboard"
        )
        #expect(output.troubles == [])
        #expect(
            output.source == """
                import Foundation
                import UIKit

                enum MainInterface_storyboard {
                    @MainActor static func makeInitialViewController() -> UIViewController {
                        #sourceLocation(file: "Base.lproj/MainInterface.storyboard", line: 15)
                        let controller = NibCoder.viewController(NotificationViewController.self, \
                loadView: { loadView($0) }) { controller in
                        }
                        #sourceLocation()
                        controller.awakeFromNib()
                        return controller
                    }

                    @MainActor private static func loadView(_ owner: UIViewController) -> [AnyObject] {
                        let label1 = NibCoder.view(UILabel.self) { view in
                            view.frame = CGRect(x: 0, y: 0, width: 320, height: 37)
                            view.translatesAutoresizingMaskIntoConstraints = false
                            view.contentMode = .left
                            view.isOpaque = false
                            view.clipsToBounds = true
                            view.isUserInteractionEnabled = false
                            view.setContentHuggingPriority(UILayoutPriority(251), for: .horizontal)
                            view.setContentHuggingPriority(UILayoutPriority(251), for: .vertical)
                            view.font = UIFont.systemFont(ofSize: 17)
                            view.textColor = UIColor.label
                            view.textAlignment = .center
                            view.lineBreakMode = .byTruncatingTail
                            view.baselineAdjustment = .alignBaselines
                            view.adjustsFontSizeToFitWidth = false
                            view.text = "Hello World"
                        }
                        let view1 = NibCoder.view(UIView.self) { view in
                            view.frame = CGRect(x: 0, y: 0, width: 320, height: 37)
                            view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
                            view.contentMode = .scaleToFill
                            view.backgroundColor = UIColor(red: 0.458824, green: 0.74902, blue: 0.666667, alpha: 1)
                            view.addSubview(label1)
                        }
                        owner.view = view1
                        let constraint1 = NSLayoutConstraint(item: view1.safeAreaLayoutGuide, \
                attribute: .trailing, relatedBy: .equal, toItem: label1, attribute: .trailing, multiplier: 1, \
                constant: 0)
                        let constraint2 = NSLayoutConstraint(item: view1.safeAreaLayoutGuide, \
                attribute: .bottom, relatedBy: .equal, toItem: label1, attribute: .bottom, multiplier: 1, constant: 0)
                        let constraint3 = NSLayoutConstraint(item: label1, attribute: .leading, \
                relatedBy: .equal, toItem: view1.safeAreaLayoutGuide, attribute: .leading, multiplier: 1, constant: 0)
                        let constraint4 = NSLayoutConstraint(item: label1, attribute: .top, relatedBy: .equal, \
                toItem: view1.safeAreaLayoutGuide, attribute: .top, multiplier: 1, constant: 0)
                        NSLayoutConstraint.activate([
                            constraint1,
                            constraint2,
                            constraint3,
                            constraint4,
                        ])
                        ObjectiveCNames.setOutlet("label", of: owner, to: label1)
                        return []
                    }
                }

                """
        )
    }

    @Test("the same file becomes the same source, each time")
    func determinism() throws {
        let first = try GeneratedSource(Self.template, classes: Self.classes)
        let second = try GeneratedSource(Self.template, classes: Self.classes)
        #expect(first.source == second.source)
    }

    @Test("a xib becomes a function that makes its objects for an owner")
    func xib() throws {
        let text = StoryboardText.xib(
            objects: "<view contentMode=\"scaleToFill\" id=\"v\">\(StoryboardText.rect)</view>",
            owner: "Card",
            connections: """
                <outlet property="view" destination="v" id="a"/><outlet property="box" destination="v" id="b"/>
                """
        )
        let card = InterfaceClass(
            name: "Card",
            superclass: "UIViewController",
            outlets: [.init(name: "box", type: "UIView!")]
        )
        let output = try GeneratedSource(text, classes: [card], path: "Card.xib")
        #expect(output.troubles == [])
        #expect(
            output.source == """
                import Foundation
                import UIKit

                enum Card_xib {
                    @MainActor static func makeObjects(owner: Any?) -> [Any] {
                        let view1 = NibCoder.view(UIView.self) { view in
                            view.frame = CGRect(x: 0, y: 0, width: 320, height: 37)
                            view.contentMode = .scaleToFill
                        }
                        if let owner = owner as? NSObject {
                            (owner as? UIViewController)?.view = view1
                            ObjectiveCNames.setOutlet("box", of: owner, to: view1)
                        }
                        return [view1]
                    }
                }

                """
        )
    }
}
