// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload

/// The kind of a node, with what only nodes of that kind have.
///
/// A kind is added here: its name, its case, and the compiler names reader, writer and whoever draws it.
package enum SceneKind: Sendable, Equatable {
    case view
    case text(SceneText)
    case image(SceneImage)
    case button(SceneButton)
    case slider(SceneRange)
    case `switch`(SceneSwitch)
    case stepper(SceneRange)
    case segments(SceneSegments)
    case progress(SceneProgress)
    case spinner(SceneSpinner)
    case field(SceneField)
    case editor(SceneField)
    case date(SceneDate)
    case media(SceneMedia)
    case scroll(SceneScroll)
    case row(SceneFlow)
    case column(SceneFlow)

    /// The word in `k`.
    package enum Name: String, Sendable, CaseIterable {
        case view, text, image, button, slider, `switch`, stepper, segments, progress, spinner, field, editor, date
        case media, scroll, row, column
    }

    package var name: Name {
        switch self {
        case .view: .view
        case .text: .text
        case .image: .image
        case .button: .button
        case .slider: .slider
        case .switch: .switch
        case .stepper: .stepper
        case .segments: .segments
        case .progress: .progress
        case .spinner: .spinner
        case .field: .field
        case .editor: .editor
        case .date: .date
        case .media: .media
        case .scroll: .scroll
        case .row: .row
        case .column: .column
        }
    }

    init(_ name: Name, _ members: inout Members) throws(MemberFault) {
        self =
            switch name {
            case .view: .view
            case .text: .text(try SceneText(&members))
            case .image: .image(try SceneImage(&members))
            case .button: .button(try SceneButton(&members))
            case .slider: .slider(try SceneRange(&members))
            case .switch: .switch(try SceneSwitch(&members))
            case .stepper: .stepper(try SceneRange(&members))
            case .segments: .segments(try SceneSegments(&members))
            case .progress: .progress(try SceneProgress(&members))
            case .spinner: .spinner(try SceneSpinner(&members))
            case .field: .field(try SceneField(&members))
            case .editor: .editor(try SceneField(&members))
            case .date: .date(try SceneDate(&members))
            case .media: .media(try SceneMedia(&members))
            case .scroll: .scroll(try SceneScroll(&members))
            case .row: .row(try SceneFlow(&members))
            case .column: .column(try SceneFlow(&members))
            }
    }

    func write(to object: inout JSONObject) {
        switch self {
        case .view: break
        case .text(let text): text.write(to: &object)
        case .image(let image): image.write(to: &object)
        case .button(let button): button.write(to: &object)
        case .slider(let range), .stepper(let range): range.write(to: &object)
        case .switch(let control): control.write(to: &object)
        case .segments(let segments): segments.write(to: &object)
        case .progress(let progress): progress.write(to: &object)
        case .spinner(let spinner): spinner.write(to: &object)
        case .field(let field), .editor(let field): field.write(to: &object)
        case .date(let date): date.write(to: &object)
        case .media(let media): media.write(to: &object)
        case .scroll(let scroll): scroll.write(to: &object)
        case .row(let flow), .column(let flow): flow.write(to: &object)
        }
    }

    /// The texts that a person reads in it.
    package var texts: [String] {
        switch self {
        case .text(let block): block.runs.map(\.text)
        case .button(let button): [button.title]
        case .segments(let segments): segments.titles
        case .field(let field), .editor(let field): [field.value, field.placeholder]
        case .view, .image, .slider, .switch, .stepper, .progress, .spinner, .date, .media, .scroll, .row, .column: []
        }
    }

    /// The number of the file that it shows.
    package var source: UInt32? {
        switch self {
        case .image(let image): image.source
        case .button(let button): button.source
        case .media(let media): media.source
        case .view, .text, .slider, .switch, .stepper, .segments, .progress, .spinner, .field, .editor, .date, .scroll,
            .row, .column:
            nil
        }
    }

    /// True if it places its children itself.
    package var isFlow: Bool {
        switch self {
        case .row, .column: true
        default: false
        }
    }
}
