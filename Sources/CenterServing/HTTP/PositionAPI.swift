// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import NotificationPayload
import UserNotificationCenter

/// The part of the API by which a device of the owner says where it is: `/v1/position`.
struct PositionAPI {
    let api: CenterAPI

    /// Takes a report, and answers when what came of it is on the disk.
    func take(_ object: JSONObject) async throws(APIError) -> APIAnswer {
        let report: PositionReport
        do throws(PositionFault) { report = try PositionReport(object) } catch { throw .badParameter(error.sentence) }
        do throws(DatabaseFailure) { try await RegionWatch(api.center).take(report, of: api.owner) } catch {
            throw .disk
        }
        return .done
    }
}

extension PositionFault {
    /// A sentence for whoever wrote the report.
    fileprivate var sentence: String {
        switch self {
        case .wrongKind(let key): "\"\(key)\" is of another kind"
        case .missing(let key): "\"\(key)\" is missing"
        case .outOfRange(let key): "\"\(key)\" is out of its range"
        case .malformed("time"): "\"time\" is no date: write it as 2026-11-21T03:00:00.000Z"
        case .malformed(let key): "\"\(key)\" is no UUID"
        case .tooMany(let key, let count): "\"\(key)\" has \(count) elements, more than it may"
        case .both: "a report has a place or \"beacons\", and not both"
        }
    }
}
