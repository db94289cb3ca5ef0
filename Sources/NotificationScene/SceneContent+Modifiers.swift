// SPDX-License-Identifier: Apache-2.0

import SceneModel

/// The look and the place that every element may have.
extension SceneContent {
    /// Names an element, so that it stays the same one when it moves among its siblings.
    public func id(_ name: some Hashable) -> SceneElements {
        changed { $0.identity = Element.Identity(name: AnyHashable(name)) }
    }

    /// Draws it with that opacity, 0 to 1; at 0 it cannot be seen or worked, and keeps its place.
    public func opacity(_ opacity: Double) -> SceneElements {
        changed { $0.style.opacity = opacity.within(SceneLimits.opacity) }
    }

    /// Takes it out of the view and of its row or column; in contrast to SwiftUI's, it leaves no room, as `opacity(0)`
    /// does.
    public func hidden(_ isHidden: Bool = true) -> SceneElements { changed { $0.style.isHidden = isHidden } }

    /// Gives it a size in points.
    public func frame(width: Double, height: Double) -> SceneElements {
        changed { $0.size = SceneSize(width.within(SceneLimits.length), height.within(SceneLimits.length)) }
    }

    /// Gives it a share of the free room of its row or column, 0 to 100.
    public func grow(_ share: Double = 1) -> SceneElements { changed { $0.grow = share.within(0...100) } }

    /// Draws a colour behind it.
    public func background(_ color: Color) -> SceneElements { changed { $0.style.background = color.scene } }

    /// Rounds its corners by a radius in points, and draws nothing of it outside.
    public func cornerRadius(_ radius: Double) -> SceneElements {
        changed {
            $0.style.radius = radius.within(SceneLimits.extent)
            $0.style.clips = true
        }
    }

    /// Draws a line of so many points around it.
    public func border(_ color: Color, width: Double = 1) -> SceneElements {
        changed {
            $0.style.border = SceneStyle.Border(width: width.within(SceneLimits.extent), color: color.scene)
        }
    }

    /// Says what a screen reader calls it, and a terminal; the default is its own text.
    public func label(_ text: String) -> SceneElements {
        changed { $0.label = text.cut(toByteCount: SceneLimits.titleByteCount) }
    }

    /// Lets a control take nothing, and each control in a row or column.
    public func disabled(_ isDisabled: Bool = true) -> SceneElements { changed { $0.isDisabled = isDisabled } }

    /// Calls a function when a person clicks on it; a control has its own ways, and does not take this.
    public func onTap(_ act: @escaping @MainActor () -> Void) -> SceneElements {
        changed { if $0.acts[.tap] == nil { $0.acts[.tap] = { _ in act() } } }
    }

    /// Calls a function when a person has pressed it for half a second; a control does not take this.
    public func onLongPress(_ act: @escaping @MainActor () -> Void) -> SceneElements {
        changed { $0.acts[.longPress] = { _ in act() } }
    }

    private func changed(_ change: (inout Element) -> Void) -> SceneElements {
        var elements = elements
        for index in elements.list.indices { change(&elements.list[index]) }
        return elements
    }
}
