// SPDX-License-Identifier: Apache-2.0

import SceneModel

/// The work on the view of each payload, and the expectations of it.
struct ViewPlan {
    let environment: ViewEnvironment
    /// The bundle lets people work its view.
    let takesInteraction: Bool
    let steps: [ViewStep]
    /// Steps that come while the view is open.
    let source: StepLines?
    let expectations: [ViewExpectation]
    let format: ViewFormat
    /// The file for the scene at the end.
    let file: ReportFile?
    let extensionLog: ExtensionLog
}
