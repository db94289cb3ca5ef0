/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launcher.h"

/* Of authorities that vouch for servers. */
#define CERTIFICATES "/etc/ssl/certs"

static struct view *next_view(struct view_table *table) { return &table->views[table->count]; }

/* Where libraries and their loader may be; on most systems some of these are links into /usr. */
int find_system_views(struct view_table *table) {
    static const char *const paths[] = {"/usr/lib", "/usr/lib64",          "/lib",
                                        "/lib64",   "/usr/share/zoneinfo", CERTIFICATES};
    void *const memory = mmap(NULL, sizeof(struct view) * LAUNCHER_MAXIMUM_VIEWS, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return -errno;
    }
    table->views = memory;
    for (size_t index = 0; index < sizeof paths / sizeof paths[0]; index++) {
        struct view *const view = next_view(table);
        struct stat status;
        if (lstat(paths[index], &status) != 0) {
            continue;
        }
        memcpy(view->path, paths[index], strlen(paths[index]) + 1);
        view->slot = LAUNCHER_EVERY_SLOT;
        view->of_network = strcmp(paths[index], CERTIFICATES) == 0;
        view->kind = VIEW_FOLDER;
        if (S_ISLNK(status.st_mode)) {
            view->kind = VIEW_LINK;
            const ssize_t length = readlink(view->path, view->link, sizeof view->link - 1);
            if (length <= 0 || length == (ssize_t)sizeof view->link - 1) {
                return -ENAMETOOLONG;
            }
            view->link[length] = '\0';
        }
        table->count++;
    }
    return 0;
}

/* No path that means another folder tomorrow, none that leaves the place it is shown at. */
static bool is_plain_path(const char *path) {
    if (path[0] != '/' || path[1] == '\0') {
        return false;
    }
    for (const char *part = path; part != NULL; part = strchr(part, '/')) {
        part++;
        const size_t length = strcspn(part, "/");
        if (length == 0 || (length == 1 && part[0] == '.') || (length == 2 && part[0] == '.' && part[1] == '.')) {
            return false;
        }
    }
    return true;
}

/* What is for everybody is registered first: it takes room from every app. */
static bool has_room(const struct view_table *table, uint32_t slot) {
    uint32_t shown = 0;
    for (uint32_t index = 0; index < table->count; index++) {
        const uint32_t other = table->views[index].slot;
        shown += other == LAUNCHER_EVERY_SLOT || other == slot || slot == LAUNCHER_EVERY_SLOT ? 1 : 0;
    }
    return table->count < LAUNCHER_MAXIMUM_VIEWS && shown < LAUNCHER_MAXIMUM_SHOWN;
}

static int take_view(struct view_table *table, const struct launcher_register_view *packet) {
    if (!has_room(table, packet->slot)) {
        return ENOSPC;
    }
    if (!is_plain_path(packet->path) || packet->kind > LAUNCHER_VIEW_INTERPRETER) {
        return EINVAL;
    }
    struct stat status;
    if (stat(packet->path, &status) != 0) {
        return errno;
    }
    const bool folder = packet->kind == LAUNCHER_VIEW_FOLDER;
    if (folder ? !S_ISDIR(status.st_mode) : !S_ISREG(status.st_mode)) {
        return folder ? ENOTDIR : EINVAL;
    }
    struct view *const view = next_view(table);
    view->slot = packet->slot;
    view->kind = (enum view_kind)packet->kind;
    memcpy(view->path, packet->path, sizeof view->path);
    table->count++;
    return 0;
}

static void answer(struct launcher *launcher, int error) {
    const struct launcher_view_registered packet = {
        .header = {.version = LAUNCHER_PROTOCOL_VERSION, .type = LAUNCHER_VIEW_REGISTERED},
        .error = error,
    };
    tell_host(launcher, &packet, sizeof packet, NULL, 0);
}

void register_view(struct launcher *launcher, const struct order *order) {
    answer(launcher, take_view(&launcher->views, &order->packet.register_view));
}

void refuse_view(struct launcher *launcher, const struct order *order) {
    (void)order;
    answer(launcher, EPERM);
}
