// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// Maps of a storyboard, by their own element and as the class of a plain view.
@Suite struct StoryboardMapTests {
    private static let map = """
        <mapView clipsSubviews="YES" multipleTouchEnabled="YES" contentMode="scaleToFill" mapType="hybrid" \
        zoomEnabled="NO" scrollEnabled="NO" rotateEnabled="NO" pitchEnabled="NO" showsUserLocation="YES" \
        showsPointsOfInterest="NO" showsCompass="NO" translatesAutoresizingMaskIntoConstraints="NO" id="m">
        <rect key="frame" x="1" y="2" width="3" height="4"/>
        <standardMapConfiguration key="preferredConfiguration"/>
        <connections><outlet property="delegate" destination="c" id="o"/></connections></mapView>
        """

    private static func output(
        views: String,
        outlet: String,
        classes: [InterfaceClass] = [],
        type: String = "MKMapView!"
    ) throws -> GeneratedSource {
        let content = InterfaceClass(
            name: "Content",
            superclass: "UIViewController",
            outlets: [.init(name: "map", type: type)]
        )
        return try GeneratedSource(
            StoryboardText.storyboard(
                views: views,
                controller: "<connections><outlet property=\"map\" destination=\"\(outlet)\" id=\"1\"/></connections>",
                customClass: "Content"
            ),
            classes: classes + [content]
        )
    }

    @Test("a map is made with what its file says, and the source imports MapKit", arguments: ["", "MapKit."])
    func element(module: String) throws {
        let output = try Self.output(views: Self.map, outlet: "m", type: "\(module)MKMapView?")
        #expect(output.troubles == [])
        #expect(Array(output.lines.prefix(3)) == ["import Foundation", "import MapKit", "import UIKit"])
        #expect(output.lines.contains("let mapView1 = NibCoder.view(MKMapView.self) { view in"))
        #expect(
            output.statements(of: "mapView1") == [
                "view.frame = CGRect(x: 1, y: 2, width: 3, height: 4)",
                "view.translatesAutoresizingMaskIntoConstraints = false", "view.contentMode = .scaleToFill",
                "view.clipsToBounds = true", "view.isMultipleTouchEnabled = true", "view.mapType = .hybrid",
                "view.isZoomEnabled = false", "view.isScrollEnabled = false", "view.isRotateEnabled = false",
                "view.isPitchEnabled = false", "view.showsUserLocation = true", "view.showsCompass = false",
                "view.showsPointsOfInterest = false",
            ]
        )
        #expect(
            Array(output.end.suffix(2)) == [
                "mapView1.delegate = owner as? any MKMapViewDelegate",
                "ObjectiveCNames.setOutlet(\"map\", of: owner, to: mapView1)",
            ]
        )
    }

    @Test("a plain view with a class of MapKit's or UIKit's is one of that class")
    func customClass() throws {
        let output = try Self.output(
            views: """
                <view customClass="MKMapView" id="m"/><view customClass="UIProgressView" id="p"/>
                """,
            outlet: "m"
        )
        #expect(output.troubles == [])
        #expect(output.lines.first { $0.hasPrefix("import M") } == "import MapKit")
        #expect(output.lines.contains("let view1 = NibCoder.view(MKMapView.self) { view in"))
        #expect(output.lines.contains("let view2 = NibCoder.view(UIProgressView.self) { view in"))
    }

    @Test("a class of the sources below MKMapView is one", arguments: ["MKMapView", "MapKit.MKMapView"])
    func subclass(superclass: String) throws {
        let output = try Self.output(
            views: "<mapView customClass=\"Chart\" id=\"m\"/>",
            outlet: "m",
            classes: [InterfaceClass(name: "Chart", superclass: superclass)]
        )
        #expect(output.troubles == [])
        #expect(output.lines.contains("import MapKit"))
        #expect(output.lines.contains("let mapView1 = NibCoder.customView(Chart.self) { view in"))
    }

    @Test("an outlet of another type is an error, and a source without a map imports no MapKit")
    func otherwise() throws {
        let wrong = try Self.output(views: Self.map, outlet: "m", type: "UILabel!")
        #expect(
            wrong.troubles == [
                "Main.storyboard:9: error: the outlet \"map\" is of type UILabel!, and leads to a MKMapView, "
                    + "in <outlet> with the id \"1\""
            ]
        )
        let plain = try Self.output(views: "<label id=\"m\"/>", outlet: "m", type: "UILabel!")
        #expect(plain.troubles == [])
        #expect(Array(plain.lines.prefix(3)) == ["import Foundation", "import UIKit", "enum Main_storyboard {"])
    }
}
