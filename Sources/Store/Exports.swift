// SPDX-License-Identifier: Apache-2.0

// Whoever opens a store here meets its `StoreError`, which stands where other stores can have it too.
@_exported public import DatabaseFile
