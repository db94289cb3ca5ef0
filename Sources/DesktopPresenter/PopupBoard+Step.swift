// SPDX-License-Identifier: Apache-2.0

package import UserNotificationCenter

extension PopupBoard {
    /// An order to the daemon or to the centre.
    package enum Order: Sendable, Equatable {
        /// The daemon closes a popup.
        case close(UInt32)
        /// A person has answered: the response of a notification.
        case respond(id: Int64, action: String, text: String?)
        /// A person has dismissed a notification.
        case dismiss(Int64)
        /// The page of this address is opened, and `take(wasOpened:)` is called.
        case open(PageAddress)
    }

    /// The next thing to do.
    package enum Step: Sendable, Equatable {
        /// The centre is told how the surface of this name is now.
        case tell(String, Presenter.State)
        /// The front is loaded, for a lock view or not, and `take(front:)` or `takeNoFront` is called.
        case loadFront(isForLock: Bool)
        /// The centre is asked for what is not seen, and `take(unseen:at:)` is called.
        case loadUnseen
        /// The daemon shows a popup, with its files if it has some; `take(shown:)` or `take(refused:)` of the ticket is
        /// called when it has answered.
        case show(Popup, PopupFiles, ticket: Int)
        /// There is nothing to do before this moment; `nil` means until something happens.
        case rest(until: Duration?)
    }
}
