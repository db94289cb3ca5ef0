// SPDX-License-Identifier: Apache-2.0

/// The properties of MKMapView.
enum MapElement {
    static func write(_ map: PropertyWriter) {
        map.choice("mapType", Choices.mapTypes)
        for name in ["zoom", "scroll", "rotate", "pitch"] {
            map.bool("\(name)Enabled", "is\(name.prefix(1).uppercased())\(name.dropFirst())Enabled")
        }
        for name in [
            "showsUserLocation", "showsBuildings", "showsCompass", "showsPointsOfInterest", "showsScale",
            "showsTraffic",
        ] { map.bool(name) }
        // The look of a map, which is not drawn here.
        _ = map.element.child(key: "preferredConfiguration")?.readingAll()
    }
}
