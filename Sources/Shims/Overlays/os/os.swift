// SPDX-License-Identifier: Apache-2.0

// The submodules (`import os.log`) are clang's and empty; this module, which comes with each of them, has everything.
@_exported import OSLog
@_exported import os
