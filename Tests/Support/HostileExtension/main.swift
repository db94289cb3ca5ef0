// SPDX-License-Identifier: Apache-2.0

import ExtensionWorker

NotificationServiceWorker.serve(HostileService())
