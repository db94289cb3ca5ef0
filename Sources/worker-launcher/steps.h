/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of a start, by the names the host shows when one fails.
 */
#pragma once

#include "launcher_protocol.h"

enum step {
    STEP_PROCESS_TABLE,
    STEP_EXECUTABLE_NAME,
    STEP_APP_SLOT,
    STEP_GATE,
    STEP_CLONE,
    STEP_ID_MAPS,
    STEP_PARENT_DEATH_SIGNAL,
    STEP_PRIVATE_MOUNTS,
    STEP_HIDDEN_KEYS,
    STEP_PRIVATE_PROC,
    STEP_BUNDLE_VIEW,
    STEP_BUNDLE_REPLACED,
    STEP_USER_AND_GROUP,
    STEP_HOST_NAME,
    STEP_OPEN_EXECUTABLE,
    STEP_NOT_A_FILE,
    STEP_NOT_EXECUTABLE,
    STEP_WORLD_WRITABLE,
    STEP_RESOURCE_LIMITS,
    STEP_CAPABILITIES,
    STEP_NO_NEW_PRIVILEGES,
    STEP_NO_NEW_CODE,
    STEP_SESSION,
    STEP_DESCRIPTORS,
    STEP_EXECUTE,
    STEP_BEFORE_EXECUTE,
    STEP_STATUS_FILE,
    STEP_COUNT
};

/* At most LAUNCHER_STEP_BYTES - 1 characters. */
const char *step_name(enum step step);
