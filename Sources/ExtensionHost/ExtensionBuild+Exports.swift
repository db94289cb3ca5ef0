// SPDX-License-Identifier: Apache-2.0

// Every file here speaks to people through `Terminal` and `CommandError`, which stand where `build` can have them too.
@_exported public import ExtensionBuild
