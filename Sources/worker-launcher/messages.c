/* SPDX-License-Identifier: Apache-2.0
 *
 * Every message that the host may send, one row each. What has no row, or is not as its row says, our own host cannot
 * have sent. OpenSSH's monitor keeps such a table (mon_dispatch in monitor.c).
 */
#include <string.h>

#include "plan.h"

/* When a message is obeyed. */
enum phase {
    ANY_TIME,
    UNTIL_SEALED,  /* not after LAUNCHER_SEAL */
    UNTIL_GROUPED, /* the same, and once: not after a folder for cgroups was accepted */
};

struct message {
    size_t size; /* the packet's, exactly; 0: the host may not send this type */
    int least_descriptors;
    int most_descriptors;
    enum phase phase;
    /* Whether a packet of that size can come from our own host; NULL: its size says all. */
    bool (*is_well_formed)(struct launcher *launcher, const struct order *order);
    void (*obey)(struct launcher *launcher, const struct order *order);
    /* Answers in place of `obey` when the phase is over; NULL: whoever sends it then is not our own host. */
    void (*refuse)(struct launcher *launcher, const struct order *order);
};

static bool ends(const char *text, size_t capacity) { return memchr(text, '\0', capacity) != NULL; }

static bool key_ends(struct launcher *launcher, const struct order *order) {
    (void)launcher;
    return ends(order->packet.register_key.path, LAUNCHER_PATH_BYTES);
}

static bool view_ends(struct launcher *launcher, const struct order *order) {
    (void)launcher;
    return ends(order->packet.register_view.path, LAUNCHER_PATH_BYTES);
}

static bool group_ends(struct launcher *launcher, const struct order *order) {
    (void)launcher;
    return ends(order->packet.register_group.path, LAUNCHER_PATH_BYTES);
}

static bool taken_name_ends(struct launcher *launcher, const struct order *order) {
    (void)launcher;
    return ends(order->packet.take_scratch.name, LAUNCHER_NAME_BYTES);
}

static bool put_name_ends(struct launcher *launcher, const struct order *order) {
    (void)launcher;
    return ends(order->packet.put_scratch.name, LAUNCHER_NAME_BYTES);
}

static bool is_nice(struct launcher *launcher, const struct order *order) {
    (void)launcher;
    return order->packet.priority.nice <= LAUNCHER_LOWEST_NICE;
}

static void seal(struct launcher *launcher, const struct order *order) {
    (void)order;
    launcher->sealed = true;
}

#define SIZE(name) sizeof(struct launcher_##name)

/* A type that stands here twice does not compile. */
/* clang-format off */
static const struct message messages[] = {
    [LAUNCHER_REGISTER_KEY]   = {SIZE(register_key),   0, 0, UNTIL_SEALED,  key_ends,   register_key,   refuse_key},
    [LAUNCHER_REGISTER_VIEW]  = {SIZE(register_view),  0, 0, UNTIL_SEALED,  view_ends,  register_view,  refuse_view},
    [LAUNCHER_REGISTER_GROUP] = {SIZE(register_group), 0, 0, UNTIL_GROUPED, group_ends, register_group, refuse_group},
    [LAUNCHER_SEAL]           = {SIZE(seal),           0, 0, ANY_TIME, NULL,                 seal,            NULL},
    [LAUNCHER_SPAWN]          = {SIZE(spawn),          LEAST_SENT, MOST_SENT,
                                                             ANY_TIME, spawn_is_well_formed, spawn,           NULL},
    [LAUNCHER_KILL]           = {SIZE(kill),           0, 0, ANY_TIME, NULL,                 kill_by_serial,  NULL},
    [LAUNCHER_PRIORITY]       = {SIZE(priority),       0, 0, ANY_TIME, is_nice,              change_priority, NULL},
    [LAUNCHER_TAKE_SCRATCH]   = {SIZE(take_scratch),   0, 0, ANY_TIME, taken_name_ends,      take_scratch,    NULL},
    [LAUNCHER_PUT_SCRATCH]    = {SIZE(put_scratch),    0, 0, ANY_TIME, put_name_ends,        put_scratch,     NULL},
    [LAUNCHER_FORGET_SCRATCH] = {SIZE(forget_scratch), 0, 0, ANY_TIME, NULL,                 forget_scratch,  NULL},
};
/* clang-format on */

/* The row of a packet's type, if version and size are right too; else NULL. */
static const struct message *find_message(const union launcher_packet *packet, size_t size) {
    if (size < sizeof packet->header || packet->header.version != LAUNCHER_PROTOCOL_VERSION ||
        packet->header.type >= sizeof messages / sizeof messages[0]) {
        return NULL;
    }
    const struct message *const message = &messages[packet->header.type];
    return size == message->size ? message : NULL;
}

static bool is_in_phase(const struct launcher *launcher, enum phase phase) {
    switch (phase) {
    case ANY_TIME:
        return true;
    case UNTIL_SEALED:
        return !launcher->sealed;
    case UNTIL_GROUPED:
        return !launcher->sealed && launcher->groups.folder < 0;
    }
    return false;
}

bool obey(struct launcher *launcher, const struct order *order, size_t size) {
    const struct message *const message = find_message(&order->packet, size);
    if (message == NULL || order->count < message->least_descriptors || order->count > message->most_descriptors ||
        (message->is_well_formed != NULL && !message->is_well_formed(launcher, order))) {
        return false;
    }
    if (!is_in_phase(launcher, message->phase)) {
        if (message->refuse != NULL) {
            message->refuse(launcher, order);
        }
        return message->refuse != NULL;
    }
    if (message->phase != ANY_TIME) {
        discard_spare(launcher); /* what is registered changes what a waiting child is a copy of */
    }
    message->obey(launcher, order);
    return true;
}
