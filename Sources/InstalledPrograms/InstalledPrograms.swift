// SPDX-License-Identifier: Apache-2.0

// No code: the target depends on the programs that are installed, so that one `swift build` builds them all.
