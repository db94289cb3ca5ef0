/* SPDX-License-Identifier: Apache-2.0
 *
 * The version of all programs and of the package. CHANGELOG.md has the same number on top; scripts/check compares them.
 */
#pragma once

#define NESTBOX_VERSION "0.500"
