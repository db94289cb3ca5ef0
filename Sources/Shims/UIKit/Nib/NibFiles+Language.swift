// SPDX-License-Identifier: Apache-2.0

import SceneModel

extension NibFiles {
    /// The language of the view, "de" or "pt-BR", as the environment that a host sent last says it.
    ///
    /// The code that `extension-host build` makes of storyboards chooses their texts by it.
    public static var language: String { Surroundings.environment.language }
}
