// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import Testing

@testable import UIKit

@MainActor
struct ValuesSurroundingsTests {
    private let night = ViewEnvironment(
        width: 320,
        scale: 3,
        style: .dark,
        textSize: 2,
        direction: .rightToLeft,
        language: "ar",
        reducedMotion: true
    )

    @Test func `the current traits are those of the place`() {
        let traits = shown(in: night) { UITraitCollection.current }
        #expect(traits.userInterfaceStyle == .dark)
        #expect(traits.layoutDirection == .rightToLeft)
        #expect(traits.displayScale == 3)
        #expect(traits.preferredContentSizeCategory == .accessibilityLarge)
        #expect(traits.userInterfaceIdiom == .phone)
        #expect(traits.horizontalSizeClass == .compact && traits.verticalSizeClass == .regular)
        #expect(traits.userInterfaceLevel == .base && traits.accessibilityContrast == .normal)
        #expect(UITraitCollection.current == UITraitCollection(environment: ViewEnvironment()))
        #expect(UITraitCollection.current.userInterfaceStyle == .light)
    }

    @Test func `traits are the current ones inside of a call, and after it those of before`() {
        UITraitCollection.inDark.performAsCurrent {
            #expect(UITraitCollection.current == .inDark)
            UITraitCollection.inLight.performAsCurrent { #expect(UITraitCollection.current == .inLight) }
            #expect(UITraitCollection.current == .inDark)
        }
        #expect(UITraitCollection.current == .surrounding)
    }

    @Test func `a setter changes the traits of its thread alone`() async {
        let seen = await withCheckedContinuation { done in
            let thread = Thread {
                UITraitCollection.current = .inDark
                done.resume(returning: UITraitCollection.current)
            }
            thread.start()
        }
        #expect(seen == .inDark)
        #expect(UITraitCollection.current == .surrounding)
    }

    @Test func `a trait that is not named is unspecified`() {
        let none = UITraitCollection()
        #expect(none.userInterfaceStyle == .unspecified && none.layoutDirection == .unspecified)
        #expect(none.userInterfaceIdiom == .unspecified && none.displayScale == 0)
        #expect(none.preferredContentSizeCategory == .unspecified)
        #expect(none.horizontalSizeClass == .unspecified && none.verticalSizeClass == .unspecified)
    }

    @Test func `of traits that are named twice the later counts`() {
        let all = UITraitCollection(traitsFrom: [
            .inDark, UITraitCollection(layoutDirection: .rightToLeft), UITraitCollection(displayScale: 3),
            UITraitCollection(userInterfaceIdiom: .pad), UITraitCollection(horizontalSizeClass: .regular),
            UITraitCollection(verticalSizeClass: .compact), UITraitCollection(userInterfaceLevel: .elevated),
            UITraitCollection(accessibilityContrast: .high), .inLight,
            UITraitCollection(preferredContentSizeCategory: .small),
        ])
        #expect(all.userInterfaceStyle == .light && all.layoutDirection == .rightToLeft && all.displayScale == 3)
        #expect(
            all.userInterfaceIdiom == .pad && all.horizontalSizeClass == .regular && all.verticalSizeClass == .compact
        )
        #expect(all.userInterfaceLevel == .elevated && all.accessibilityContrast == .high)
        #expect(all.preferredContentSizeCategory == .small)
        #expect(all.containsTraits(in: .inLight) && !all.containsTraits(in: .inDark) && all.containsTraits(in: nil))
        #expect(all.hasDifferentColorAppearance(comparedTo: .inLight))
        #expect(!UITraitCollection.inDark.hasDifferentColorAppearance(comparedTo: .inDark))
        #expect(UITraitCollection.inDark.hasDifferentColorAppearance(comparedTo: nil))
        #expect(!UITraitCollection(displayScale: 2).hasDifferentColorAppearance(comparedTo: nil))
        #expect(Set([all, UITraitCollection(traitsFrom: [all]), .inDark]).count == 2)
    }

    @Test(arguments: [
        (0.8, UIContentSizeCategory.extraSmall), (0.83, .extraSmall), (0.88, .small), (0.94, .medium), (1, .large),
        (1.05, .large), (1.12, .extraLarge), (1.24, .extraExtraLarge), (1.35, .extraExtraExtraLarge),
        (1.6, .accessibilityMedium), (2, .accessibilityLarge), (2.3, .accessibilityExtraLarge),
        (2.8, .accessibilityExtraExtraLarge), (3.1, .accessibilityExtraExtraExtraLarge),
    ])
    func `the size of texts is the nearest of Apple's steps`(factor: Double, category: UIContentSizeCategory) {
        #expect(UIContentSizeCategory(textSize: factor) == category)
    }

    @Test func `steps of the size of texts have an order`() {
        #expect(
            UIContentSizeCategory.small < .medium && UIContentSizeCategory.accessibilityMedium > .extraExtraExtraLarge
        )
        #expect(UIContentSizeCategory.unspecified < .extraSmall)
        #expect(UIContentSizeCategory.accessibilityMedium.isAccessibilityCategory)
        #expect(!UIContentSizeCategory.extraExtraExtraLarge.isAccessibilityCategory)
        #expect(UIContentSizeCategory.large.rawValue == "UICTContentSizeCategoryL")
        #expect(UIContentSizeCategory(rawValue: "UICTContentSizeCategoryXXL") == .extraExtraLarge)
        #expect(
            UIContentSizeCategory.unspecified.textSize == nil && UIContentSizeCategory.extraSmall.textSize == 14.0 / 17
        )
    }

    @Test func `the screen is as wide as the view`() {
        shown(in: night) {
            #expect(UIScreen.main.bounds == CGRect(x: 0, y: 0, width: 320, height: 693))
            #expect(UIScreen.main.nativeBounds == CGRect(x: 0, y: 0, width: 960, height: 2079))
            #expect(UIScreen.main.scale == 3 && UIScreen.main.nativeScale == 3)
            #expect(UIScreen.main.traitCollection == .current)
        }
        #expect(UIScreen.main === UIScreen.screens[0] && UIScreen.screens.count == 1)
        #expect(UIScreen.main.maximumFramesPerSecond == 30 && !UIScreen.main.isCaptured)
        #expect(UIScreen.main.brightness == 0.5)
    }

    @Test func `the machine is a phone held upright, without a battery`() {
        let device = UIDevice.current
        #expect(device.userInterfaceIdiom == .phone && device.orientation == .portrait)
        #expect(
            [device.name, device.model, device.localizedModel, device.systemName] == [
                "Linux", "Linux", "Linux", "Linux",
            ]
        )
        device.isBatteryMonitoringEnabled = true
        #expect(!device.isBatteryMonitoringEnabled && device.batteryLevel == -1 && device.batteryState == .unknown)
        device.beginGeneratingDeviceOrientationNotifications()
        #expect(!device.isGeneratingDeviceOrientationNotifications)
        #expect(device.identifierForVendor == nil && !device.isMultitaskingSupported)
        #expect(device.systemVersion.split(separator: ".").count == 3)
        let ways = (0...6).compactMap { UIDeviceOrientation(rawValue: $0) }
        #expect(ways.filter(\.isPortrait) == [.portrait, .portraitUpsideDown])
        #expect(ways.filter(\.isLandscape) == [.landscapeLeft, .landscapeRight])
        #expect(ways.filter(\.isFlat) == [.faceUp, .faceDown])
        #expect(ways.filter(\.isValidInterfaceOrientation).count == 4)
    }

    @Test func `numbers of traits are Apple's`() {
        #expect(UIUserInterfaceStyle.dark.rawValue == 2 && UIUserInterfaceSizeClass.regular.rawValue == 2)
        #expect(UIUserInterfaceLayoutDirection.rightToLeft.rawValue == 1)
        #expect(UITraitEnvironmentLayoutDirection.unspecified.rawValue == -1)
        #expect(UITraitEnvironmentLayoutDirection.rightToLeft.rawValue == 1)
        let idioms: [UIUserInterfaceIdiom] = [.unspecified, .phone, .pad, .tv, .carPlay, .mac, .vision]
        #expect(idioms.map(\.rawValue) == [-1, 0, 1, 2, 3, 5, 6])
    }
}
