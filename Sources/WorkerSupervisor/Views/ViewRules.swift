// SPDX-License-Identifier: Apache-2.0

/// The limits on views and on each of them.
enum ViewRules {
    /// Open views of one owner's app, of which the oldest is closed for a new one.
    static let viewsOfSite = 4
    /// Open views of the host, of which one more is refused, and processes of views, for which others wait.
    static let views = 32
    /// Orders of views at the launcher at once.
    ///
    /// Few, because its socket holds some 13 packets of an order's length, and workers are ordered through it as well.
    static let orders = 2
    /// The longest time from the opening to the first scene.
    static let firstScene = Duration.seconds(5)
    /// The longest time until an act of a person is acknowledged.
    static let answer = Duration.seconds(10)
    /// The longest time for a view's word on a response.
    static let response = Duration.seconds(5)
    /// The longest time without an event.
    static let idle = Duration.seconds(15 * 60)
    /// The longest time from a person's event to a default action of the view.
    static let defaultAction = Duration.seconds(5)
    /// The time that a process has to end by itself.
    static let farewell = Duration.seconds(2)
    /// The time that a process has to end once it closed its socket.
    static let silence = WorkerRules.silenceLimit
    /// The interval between looks at the processes of views.
    static let look = Duration.milliseconds(250)
    /// The longest processor time of a view.
    static let processorTime = Duration.seconds(10)
    /// The span without an event over which a view may compute half of the time.
    static let quietSpan = Duration.seconds(10)
    /// Events to a view that wait because it has not read those before them; one more ends the view.
    static let unreadEvents = 256
}
