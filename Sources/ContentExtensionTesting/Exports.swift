// SPDX-License-Identifier: Apache-2.0

// The view that a tester shows, and what is thrown.
@_exported public import NotificationServiceTesting
