/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "steps.h"

#include <sys/socket.h>
#include <unistd.h>

#include "plan.h"

const char *step_name(enum step step) {
    static const char names[STEP_COUNT][LAUNCHER_STEP_BYTES] = {
        [STEP_PROCESS_TABLE] = "process table",
        [STEP_EXECUTABLE_NAME] = "executable name",
        [STEP_APP_SLOT] = "app slot",
        [STEP_APP_USER] = "app user",
        [STEP_GATE] = "gate",
        [STEP_CLONE] = "clone",
        [STEP_ID_MAPS] = "id maps",
        [STEP_PARENT_DEATH_SIGNAL] = "parent death signal",
        [STEP_PRIVATE_MOUNTS] = "private mounts",
        [STEP_HIDDEN_KEYS] = "hidden keys",
        [STEP_SHOWN_FOLDERS] = "shown folders",
        [STEP_BUNDLE_VIEW] = "bundle view",
        [STEP_BUNDLE_REPLACED] = "bundle was replaced",
        [STEP_STORAGE] = "storage folder",
        [STEP_STORAGE_REPLACED] = "storage folder was replaced",
        [STEP_OWN_ROOT] = "own root",
        [STEP_SCRATCH] = "scratch folder",
        [STEP_NETWORK] = "own network",
        [STEP_HAND_OVER] = "handing over",
        [STEP_GROUP] = "cgroup",
        [STEP_PRIVATE_PROC] = "private proc",
        [STEP_USER_AND_GROUP] = "user and group",
        [STEP_HOST_NAME] = "host name",
        [STEP_OPEN_EXECUTABLE] = "open executable",
        [STEP_NOT_A_FILE] = "executable is no regular file",
        [STEP_NOT_EXECUTABLE] = "executable bit is missing",
        [STEP_WORLD_WRITABLE] = "executable is world-writable",
        [STEP_SCRIPT] = "script without an interpreter",
        [STEP_RESOURCE_LIMITS] = "resource limits",
        [STEP_CAPABILITIES] = "capabilities",
        [STEP_NO_NEW_PRIVILEGES] = "no new privileges",
        [STEP_LANDLOCK] = "Landlock",
        [STEP_NO_NEW_CODE] = "no new code",
        [STEP_SESSION] = "session",
        [STEP_DESCRIPTORS] = "descriptors",
        [STEP_CALL_FILTER] = "system-call filter",
        [STEP_SELF_TEST] = "self-test",
        [STEP_EXECUTE] = "execute",
        [STEP_BEFORE_EXECUTE] = "ended before execute",
        [STEP_STATUS_FILE] = "status file",
    };
    return step < STEP_COUNT ? names[step] : "unknown";
}

void fail(const struct plan *plan, enum step step, int error) {
    const struct gate_report report = {.step = (uint32_t)step, .error = error};
    (void)send(plan->gate, &report, sizeof report, MSG_NOSIGNAL);
    _exit(127);
}
