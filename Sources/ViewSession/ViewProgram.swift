// SPDX-License-Identifier: Apache-2.0

/// The program of a content extension, whichever way its view is written.
///
/// `extension-host build` calls `serve` with a value of the principal class: `NotificationScene` and
/// `ContentExtensionWorker` each add the one for their kind, and the compiler finds out which one is meant.
public enum ViewProgram {}
