// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A kind of sights, such as cafés.
///
/// Source: Apple, "MKPointOfInterestCategory".
public struct MKPointOfInterestCategory: RawRepresentable, Hashable, Sendable {
    /// The name by which Apple knows it.
    public let rawValue: String

    /// Takes the name by which Apple knows it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    private init(_ name: String) {
        rawValue = "MKPOICategory\(name)"
    }

    /// Airports.
    public static let airport = Self("Airport")
    /// Amusement parks.
    public static let amusementPark = Self("AmusementPark")
    /// Aquariums.
    public static let aquarium = Self("Aquarium")
    /// Machines that give money.
    public static let atm = Self("ATM")
    /// Bakeries.
    public static let bakery = Self("Bakery")
    /// Banks.
    public static let bank = Self("Bank")
    /// Beaches.
    public static let beach = Self("Beach")
    /// Breweries.
    public static let brewery = Self("Brewery")
    /// Cafés.
    public static let cafe = Self("Cafe")
    /// Campgrounds.
    public static let campground = Self("Campground")
    /// Places that lend cars.
    public static let carRental = Self("CarRental")
    /// Places where electric cars are charged.
    public static let evCharger = Self("EVCharger")
    /// Fire stations.
    public static let fireStation = Self("FireStation")
    /// Places for sports.
    public static let fitnessCenter = Self("FitnessCenter")
    /// Food markets.
    public static let foodMarket = Self("FoodMarket")
    /// Gas stations.
    public static let gasStation = Self("GasStation")
    /// Hospitals.
    public static let hospital = Self("Hospital")
    /// Hotels.
    public static let hotel = Self("Hotel")
    /// Laundries.
    public static let laundry = Self("Laundry")
    /// Libraries.
    public static let library = Self("Library")
    /// Marinas.
    public static let marina = Self("Marina")
    /// Cinemas.
    public static let movieTheater = Self("MovieTheater")
    /// Museums.
    public static let museum = Self("Museum")
    /// National parks.
    public static let nationalPark = Self("NationalPark")
    /// Bars and clubs.
    public static let nightlife = Self("Nightlife")
    /// Parks.
    public static let park = Self("Park")
    /// Car parks.
    public static let parking = Self("Parking")
    /// Pharmacies.
    public static let pharmacy = Self("Pharmacy")
    /// Police stations.
    public static let police = Self("Police")
    /// Post offices.
    public static let postOffice = Self("PostOffice")
    /// Stops and stations.
    public static let publicTransport = Self("PublicTransport")
    /// Restaurants.
    public static let restaurant = Self("Restaurant")
    /// Restrooms.
    public static let restroom = Self("Restroom")
    /// Schools.
    public static let school = Self("School")
    /// Stadiums.
    public static let stadium = Self("Stadium")
    /// Stores.
    public static let store = Self("Store")
    /// Theaters.
    public static let theater = Self("Theater")
    /// Universities.
    public static let university = Self("University")
    /// Wineries.
    public static let winery = Self("Winery")
    /// Zoos.
    public static let zoo = Self("Zoo")
}

/// A choice of the sights that a map shows, of which none are drawn here.
///
/// Source: Apple, "MKPointOfInterestFilter".
public final class MKPointOfInterestFilter: NSObject, Sendable {
    /// The choice of all sights.
    public static let includingAll = MKPointOfInterestFilter(excluding: [])
    /// The choice of no sights.
    public static let excludingAll = MKPointOfInterestFilter(including: [])

    private let categories: Set<MKPointOfInterestCategory>
    private let isExcluding: Bool

    /// Chooses these kinds.
    public init(including categories: [MKPointOfInterestCategory]) {
        self.categories = Set(categories)
        isExcluding = false
    }

    /// Chooses all other kinds.
    public init(excluding categories: [MKPointOfInterestCategory]) {
        self.categories = Set(categories)
        isExcluding = true
    }

    /// True if the kind is shown.
    public func includes(_ category: MKPointOfInterestCategory) -> Bool {
        categories.contains(category) != isExcluding
    }

    /// True if the kind is not shown.
    public func excludes(_ category: MKPointOfInterestCategory) -> Bool { !includes(category) }
}
