// SPDX-License-Identifier: Apache-2.0

// Whoever counts for the host meets the kinds of metrics, which stand where the centre can have them too.
@_exported public import Metrics
