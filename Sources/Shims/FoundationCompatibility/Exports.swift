// SPDX-License-Identifier: Apache-2.0

// A file that imports Foundation alone finds URLSession on Apple's platforms.
@_exported public import Dispatch
@_exported public import Foundation
@_exported public import FoundationNetworking
