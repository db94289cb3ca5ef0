// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import UserNotificationCenter

/// The part of the API by which a surface says whether a person sees it, and what it can do: `/v1/surfaces/ID`.
struct SurfaceAPI {
    let api: CenterAPI

    /// Takes the state of a surface, whole.
    ///
    /// A lock view is refused before anything is looked up, because it is not to know which surfaces there are.
    func take(_ object: JSONObject, of id: String) throws(APIError) -> APIAnswer {
        guard api.hiding == nil else { throw .response(.needsAuthentication) }
        guard let state = Presenter.State(object) else {
            let missing = Presenter.State.members.first { object[$0]?.bool == nil } ?? ""
            throw .badParameter("\"\(missing)\" must be true or false")
        }
        let surfaces = api.center.announcements.surfaces
        switch surfaces.change(id, of: api.owner, to: state, at: api.center.clock.boot()) {
        case .done: return .done
        case .unknown: throw .notFound
        case .tooSoon: throw .tooManyChanges
        }
    }
}
