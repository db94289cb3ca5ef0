// SPDX-License-Identifier: Apache-2.0
//
// The least that a view can do: greets its host, and answers the notification and each event with a scene of the same
// length as Examples/PhotoScene, which it does not read and has written before.
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { READY = 0x81, SCENE = 0xA0, VIEW = 0x20, VIEW_EVENT = 0x21, SHUTDOWN = 0x04, HEAD = 9 };

static void answer(unsigned char type, unsigned char id, const char *body) {
    unsigned char packet[1024] = {type, 0, 0, 0, 0, 0, 0, 0, id};
    size_t length = strlen(body);
    memcpy(packet + HEAD, body, length);
    if (send(3, packet, HEAD + length, 0) < 0)
        perror("floor: send");
}

int main(void) {
    static unsigned char packet[65536];
    char scene[512];
    unsigned long events = 0;
    while (recv(3, packet, sizeof packet, 0) >= HEAD) {
        switch (packet[0]) {
        case 0x01:
            answer(READY, 0, "{\"protocol\":1}");
            break;
        case VIEW:
            answer(SCENE, 1, "{\"set\":[{\"id\":1,\"k\":\"column\",\"up\":0}]}");
            break;
        case VIEW_EVENT:
            snprintf(scene, sizeof scene,
                     "{\"ack\":%lu,\"set\":[{\"id\":5,\"k\":\"image\",\"up\":4,\"f\":[0,0,200,200],\"a\":0.5,\"label\":"
                     "\"Picture\",\"symbol\":\"photo\",\"fit\":\"contain\"},{\"id\":6,\"k\":\"slider\",\"up\":1,"
                     "\"label\":\"Opacity\",\"value\":0.5}]}",
                     ++events);
            answer(SCENE, 1, scene);
            break;
        case SHUTDOWN:
            return 0;
        default:
            break;
        }
    }
    return 0;
}
