// SPDX-License-Identifier: Apache-2.0

// On Apple's platforms it comes with the module.
@_exported public import UserNotifications
