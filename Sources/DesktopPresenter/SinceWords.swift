// SPDX-License-Identifier: Apache-2.0

import UserNotificationCenter

import struct CenterProtocol.Moment

/// The words of the popup that tells how many notifications a person has not seen: numbers, and no name.
struct SinceWords {
    let language: SummaryLanguage
    /// The seconds by which the clock on the wall is ahead of UTC at a moment, in milliseconds since 1970.
    let offset: @Sendable (Int64) -> Int64

    /// "12 notifications since 09:40, from 3 apps"; a moment of another day than that of `now` has its date.
    func text(of list: UnseenList, at now: Int64) -> String {
        let apps = list.appCount
        guard !list.isCut, let since = list.since else { return atLeast(list.count) + from(apps) }
        let count = list.count
        let counted =
            switch language {
            case .english: "\(count) \(count == 1 ? "notification" : "notifications")"
            case .spanish: "\(count) \(count == 1 ? "notificación" : "notificaciones")"
            case .portuguese: "\(count) \(count == 1 ? "notificação" : "notificações")"
            }
        return counted + moment(since, now) + from(apps)
    }

    /// A sentence on what to do where a click cannot open the page.
    func sentence(visiting address: String) -> String {
        switch language {
        case .english: "To see them, open \(address)"
        case .spanish: "Para verlas, abre \(address)"
        case .portuguese: "Para vê-las, abra \(address)"
        }
    }

    /// A sentence on what to do where the centre has no page.
    func sentence(running command: String) -> String {
        switch language {
        case .english: "To see them, run: \(command)"
        case .spanish: "Para verlas, ejecuta: \(command)"
        case .portuguese: "Para vê-las, execute: \(command)"
        }
    }

    private func atLeast(_ count: Int) -> String {
        switch language {
        case .english: "More than \(count) notifications"
        case .spanish: "Más de \(count) notificaciones"
        case .portuguese: "Mais de \(count) notificações"
        }
    }

    private func from(_ apps: Int) -> String {
        let counted = "\(apps) \(apps == 1 ? "app" : "apps")"
        return switch language {
        case .english: ", from \(counted)"
        case .spanish, .portuguese: ", de \(counted)"
        }
    }

    private func moment(_ since: Int64, _ now: Int64) -> String {
        let (day, time) = wall(since)
        guard day == wall(now).day else { return (language == .english ? " since " : " desde ") + "\(day) \(time)" }
        return switch language {
        case .english: " since \(time)"
        // The article is that of an hour, of which one alone is singular.
        case .spanish: (time.hasPrefix("01") ? " desde la " : " desde las ") + time
        case .portuguese: " desde \(time)"
        }
    }

    /// The day, as `2026-11-21`, and the time, as `09:40`, on the wall.
    private func wall(_ moment: Int64) -> (day: String, time: String) {
        let text = Moment(milliseconds: moment + offset(moment) * 1000).text
        return (String(text.prefix(10)), String(text.dropFirst(11).prefix(5)))
    }
}
