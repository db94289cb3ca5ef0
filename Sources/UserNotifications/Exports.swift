// SPDX-License-Identifier: Apache-2.0

// On Apple's platforms these come with the module; most extensions import nothing else.
@_exported public import Dispatch
@_exported public import Foundation
@_exported public import FoundationNetworking
