// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
import Foundation
import NotificationPayload

// The types of Apple's in the words of the centre's calls, and back.

extension NotificationRequest {
    /// Makes the request of a call; its files travel beside it, in their order, and what has none is left out.
    init(_ request: UNNotificationRequest, _ files: OutgoingFiles) {
        self.init(
            identifier: request.identifier,
            payload: request.content.payload().payload,
            trigger: request.trigger.flatMap { RequestTrigger($0) },
            attachments: files.attachments.enumerated().map { RequestAttachment($1, at: $0) }
        )
    }
}

extension StoredRequest {
    /// The request as an app reads it; `next` is the date on which its trigger fires next.
    ///
    /// `nil` in the place of the files means that the process is handed none.
    func notificationRequest(_ kept: KeptFiles?, next: Date? = nil) -> UNNotificationRequest {
        UNNotificationRequest(
            identifier: identifier,
            content: UNNotificationContent(payload: payload, attachments: attachments(kept)),
            trigger: trigger.flatMap { $0.notificationTrigger(next: next) }
        )
    }

    private func attachments(_ kept: KeptFiles?) -> [UNNotificationAttachment] {
        guard let kept else { return [] }
        return files.compactMap { KeptFile($0, of: identifier, in: kept) }.map { UNNotificationAttachment($0) }
    }
}

extension PendingRequest {
    func notificationRequest(_ kept: KeptFiles?) -> UNNotificationRequest {
        request.notificationRequest(kept, next: next?.date)
    }
}

extension StoredNotification {
    func notification(_ kept: KeptFiles?) -> UNNotification {
        UNNotification(request: request.notificationRequest(kept), date: date.date)
    }
}

extension Moment {
    fileprivate var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension AppResponse {
    func notificationResponse(_ kept: KeptFiles?) -> UNNotificationResponse {
        let identifier =
            switch action {
            case "default": UNNotificationDefaultActionIdentifier
            case "dismiss": UNNotificationDismissActionIdentifier
            default: action
            }
        let notification = notification.notification(kept)
        guard let text else { return UNNotificationResponse(notification: notification, actionIdentifier: identifier) }
        return UNTextInputNotificationResponse(
            notification: notification,
            actionIdentifier: identifier,
            userText: text
        )
    }
}

// MARK: Settings

extension UNNotificationSettings {
    convenience init(_ settings: NotificationSettings) {
        var values = Values()
        values.authorizationStatus =
            switch settings.status {
            case .notDetermined: .notDetermined
            case .denied: .denied
            case .authorized: .authorized
            case .provisional: .provisional
            }
        values.alertSetting = UNNotificationSetting(settings.alert)
        values.soundSetting = UNNotificationSetting(settings.sound)
        values.badgeSetting = UNNotificationSetting(settings.badge)
        values.notificationCenterSetting = UNNotificationSetting(settings.notificationCenter)
        values.lockScreenSetting = UNNotificationSetting(settings.lockScreen)
        values.timeSensitiveSetting = UNNotificationSetting(settings.timeSensitive)
        values.criticalAlertSetting = UNNotificationSetting(settings.criticalAlert)
        values.alertStyle =
            switch settings.alertStyle {
            case .none: .none
            case .banner: .banner
            case .alert: .alert
            }
        values.showPreviewsSetting =
            switch settings.showPreviews {
            case .always: .always
            case .whenAuthenticated: .whenAuthenticated
            case .never: .never
            }
        values.providesAppNotificationSettings = settings.providesAppNotificationSettings
        self.init(values)
    }
}

extension UNNotificationSetting {
    fileprivate init(_ setting: NotificationSettings.Setting) {
        switch setting {
        case .notSupported: self = .notSupported
        case .disabled: self = .disabled
        case .enabled: self = .enabled
        }
    }
}

extension PresentationOptions {
    /// Apple's older `alert` stands for banner and list.
    init(_ options: UNNotificationPresentationOptions) {
        self.init(rawValue: options.rawValue)
        remove(PresentationOptions(rawValue: UNNotificationPresentationOptions.alert.rawValue))
        if options.contains(.alert) { formUnion([.banner, .list]) }
    }
}

// MARK: Categories

extension NotificationCategory {
    init(_ category: UNNotificationCategory) {
        self.init(
            identifier: category.identifier,
            actions: category.actions.map(CategoryAction.init),
            intentIdentifiers: category.intentIdentifiers,
            options: CategoryOptions(rawValue: category.options.rawValue),
            hiddenPreviewsBodyPlaceholder: category.hiddenPreviewsBodyPlaceholder.nonEmpty,
            summaryFormat: category.categorySummaryFormat.nonEmpty
        )
    }

    var notificationCategory: UNNotificationCategory {
        UNNotificationCategory(
            identifier: identifier,
            actions: actions.map(\.notificationAction),
            intentIdentifiers: intentIdentifiers,
            hiddenPreviewsBodyPlaceholder: hiddenPreviewsBodyPlaceholder,
            categorySummaryFormat: summaryFormat,
            options: UNNotificationCategoryOptions(rawValue: options.rawValue)
        )
    }
}

extension CategoryAction {
    /// Puts an action of Apple's type into the words of the centre.
    package init(_ action: UNNotificationAction) {
        self.init(
            identifier: action.identifier,
            title: action.title,
            options: ActionOptions(rawValue: action.options.rawValue),
            text: (action as? UNTextInputNotificationAction).map {
                TextInput(button: $0.textInputButtonTitle, placeholder: $0.textInputPlaceholder)
            },
            icon: action.icon.map { icon in
                switch icon.image {
                case .template(let name): .template(name)
                case .system(let name): .system(name)
                }
            }
        )
    }

    fileprivate var notificationAction: UNNotificationAction {
        let options = UNNotificationActionOptions(rawValue: options.rawValue)
        let icon =
            switch icon {
            case .template(let name): UNNotificationActionIcon(templateImageName: name)
            case .system(let name): UNNotificationActionIcon(systemImageName: name)
            case nil: UNNotificationActionIcon?.none
            }
        guard let text else {
            return UNNotificationAction(identifier: identifier, title: title, options: options, icon: icon)
        }
        return UNTextInputNotificationAction(
            identifier: identifier,
            title: title,
            options: options,
            icon: icon,
            textInputButtonTitle: text.button,
            textInputPlaceholder: text.placeholder
        )
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

// MARK: Errors

extension CallFailure {
    /// The error as Apple's calls hand it over.
    var error: any Error {
        if domain == UNErrorDomain, let code = UNError.Code(rawValue: Int(code)) { return UNError(code) }
        return NSError(domain: domain, code: Int(code))
    }
}

extension CenterConnection.Outcome {
    /// The error for a call that was to be done; `nil` when it was.
    var error: (any Error)? {
        switch self {
        case .answer(.failed(let failure)): failure.error
        case .answer: nil
        case .unreachable: UNError(.notificationsNotAllowed)
        case .lost: NSError(domain: NSPOSIXErrorDomain, code: Int(ECONNRESET))
        case .tooLarge: NSError(domain: NSPOSIXErrorDomain, code: Int(EMSGSIZE))
        }
    }
}

extension [String] {
    /// The elements in as many calls as they need: what is no identifier names nothing, and a packet has its length.
    var parts: [[String]] {
        let known = filter { CenterNames.identifierByteCounts.contains($0.utf8.count) && !$0.utf8.contains(0) }
        return stride(from: 0, to: known.count, by: 32).map { Array(known[$0..<Swift.min($0 + 32, known.count)]) }
    }
}
