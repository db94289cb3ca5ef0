// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload
import UserNotificationCenter

/// A way to the north through a circle of 100 m and out of it again, a fix each second.
enum Track {
    static let home = RequestTrigger.Circle(latitude: 40.4, longitude: -3.7, radius: 100)
    /// Metres from the middle of the circle, second after second.
    static let metres: [Double] = Array(stride(from: -310, through: 310, by: 20))
    private static let degreesPerMetre = 1 / 111_195.08

    /// The report of somebody so many metres to the north of the circle's middle.
    static func report(_ metres: Double, accuracy: Double = 5, time: Int64? = nil) -> PositionReport {
        guard let place = Place(latitude: home.latitude + metres * degreesPerMetre, longitude: home.longitude) else {
            preconditionFailure("the track lies on the Earth")
        }
        return PositionReport(.fix(PositionFix(place, accuracy: accuracy)), time: time)
    }

    /// The track as gpsd tells it, in lines; the first fix is of this time.
    static func lines(from start: Int64) -> [UInt8] {
        var text = """
            {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\r
            {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyS0"}]}\r
            {"class":"WATCH","enable":true,"json":true}\r
            {"class":"TPV","device":"/dev/ttyS0","mode":1}\r

            """
        for (second, metres) in metres.enumerated() {
            let time = Moment(milliseconds: start + Int64(second) * 1000).text
            let latitude = home.latitude + metres * degreesPerMetre
            text += #"{"class":"TPV","mode":3,"time":"\#(time)","lat":\#(latitude),"lon":\#(home.longitude),"eph":5}"#
            text += "\r\n{\"class\":\"SKY\",\"satellites\":[]}\r\n"
        }
        return Array(text.utf8)
    }
}
