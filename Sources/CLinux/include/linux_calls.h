/* SPDX-License-Identifier: Apache-2.0
 *
 * System calls that Swift cannot make itself: variadic ones, ones without a libc wrapper, and those whose arguments
 * are built with macros. Each returns what the kernel returns, or a negative errno.
 */
#pragma once

#include <malloc.h> /* malloc_trim, which Swift's own C library module leaves out */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <sys/types.h>

/* At most this many descriptors travel with one packet. */
#define LINUX_MAXIMUM_DESCRIPTORS 5
/* At most this many files of one notification. */
#define LINUX_MAXIMUM_FILES 10

/* Sends one packet with descriptors on a SOCK_SEQPACKET socket (MSG_NOSIGNAL). Bytes sent, or -errno. */
ssize_t linux_send_packet(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count);

/* Receives one packet into bytes[0..<capacity]; descriptors arrive close-on-exec, at most
 * LINUX_MAXIMUM_DESCRIPTORS. Bytes received, 0 at end-of-file, -errno; -EMSGSIZE when packet or descriptors
 * were cut, with all descriptors closed. */
ssize_t linux_receive_packet(int socket, void *bytes, size_t capacity, int *descriptors, int *descriptor_count);

/* The same, but a packet whose descriptors were cut (this process has too many) comes without any, and says so. */
ssize_t linux_receive_whole_packet(int socket, void *bytes, size_t capacity, int *descriptors, int *descriptor_count,
                                   bool *descriptors_lost);

/* The same two for packets that carry the files of a notification: at most LINUX_MAXIMUM_FILES descriptors. `flags` are
 * those of recvmsg(2). */
ssize_t linux_send_files(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count);
ssize_t linux_receive_files(int socket, void *bytes, size_t capacity, int flags, int *descriptors,
                            int *descriptor_count, bool *descriptors_lost);

/* Receives one packet and takes no descriptors: -EMSGSIZE when the packet was longer than capacity, -EBADMSG when
 * descriptors came with it (they are dropped by the kernel). */
ssize_t linux_receive_plain_packet(int socket, void *bytes, size_t capacity, int flags);

/* Accepts a connection, close-on-exec; waits for one. The descriptor, or -errno. */
int linux_accept(int listener);
/* The user of the process that connected a Unix socket, or -1. */
int64_t linux_peer_user(int socket);

/* Writes as much as a pipe or a socket takes at once, whether or not its descriptor is non-blocking. Bytes written, or
 * -errno: -EAGAIN when there is no room, -EOPNOTSUPP where the kernel cannot promise not to wait. */
ssize_t linux_write_now(int descriptor, const void *bytes, size_t count);

/* A pipe, both ends close-on-exec, the reading end non-blocking. */
int linux_make_pipe(int ends[2]);
/* A folder to open files below (O_PATH), close-on-exec. */
int linux_open_folder(const char *path);

/* Opens a folder (O_PATH), close-on-exec, below one that somebody else may be changing, as linux_take_file finds it. */
int linux_open_folder_below(int folder, const char *name);

/* Opens a regular file below a folder that somebody else may be changing, for reading: relative `name`, no symbolic
 * link, nothing above the folder or on another mount. With `remove` its name is gone then. The descriptor,
 * close-on-exec; -EINVAL for what is no regular file, -EXDEV for what leaves the folder, -ELOOP for a link, -errno.
 * The file may still change under the descriptor: copy it with read and judge the copy. */
int linux_take_file(int folder, const char *name, int remove);

/* Makes a file, 0600, below a folder that somebody else may be changing, and opens it for writing: relative `name`, no
 * symbolic link, nothing above the folder or on another mount. The descriptor, close-on-exec; -EEXIST when there is
 * anything of that name, -errno as above. */
int linux_make_file(int folder, const char *name);

/* Takes the whole file for this process alone; waits for the process that has it. 0 or -errno. The lock goes with the
 * process, and with its first close of any descriptor of the file. */
int linux_lock_file(int file);

/* Processor time of all threads of a process, in nanoseconds; -errno when it is gone. */
int64_t linux_process_time(pid_t pid);
/* The nice value of every thread in a session leader's process group, and of the session itself: where the kernel
 * groups by session (sched(7), "The autogroup feature") it weighs threads by theirs only within one. 0 or -errno. */
int linux_set_session_nice(pid_t leader, int nice);
/* Whether this process leads a session that nobody has given another value than the usual, and may set any value, below
 * zero too and as often as it likes. */
bool linux_session_nice_is_ours(void);

/* How long every thread of a process means to run at a time, 0 for the caller's; threads they make later inherit it.
 * One with shorter turns is let in sooner when it wakes, for no larger share of the processor (sched_setattr(2), Linux
 * 6.12; older kernels take it and do nothing). 0 or -errno. */
int linux_set_turns(pid_t process, uint64_t nanoseconds);
/* What a thread means to run at a time, in nanoseconds; 0 where the kernel knows no turns, -errno. */
int64_t linux_turn(pid_t thread);

int linux_pidfd_open(pid_t pid);
int linux_pidfd_send_signal(int pidfd, int signal);

/* PR_SET_DUMPABLE 0: nobody of the same uid reads this process's memory. */
int linux_set_not_dumpable(void);
int linux_set_no_new_privileges(void);
int linux_set_parent_death_signal(int signal);

/* The file that a symbol of this process was loaded from, as the loader found it; NULL when there is none. It is never
 * freed. */
const char *linux_file_of_symbol(const char *symbol);

/* Standard output goes out with each line, as to a terminal. */
void linux_write_lines(void);

/* Whether a service manager has marked a cgroup v2 folder as given to the processes in it: 1 or 0. */
int linux_is_delegated_group(const char *path);

/* The Landlock version of the kernel, 0 if there is none. */
int linux_landlock_version(void);

/* The columns that a terminal gives to a Unicode scalar: 0 for a mark that lies over another, 2 for a wide one, -1 for
 * one that is not shown. The C library's table, whatever the locale of the process. wcwidth(3). */
int linux_columns(uint32_t scalar);

/* An empty file in memory that is in no folder, close-on-exec; its name is for people. memfd_create(2). */
int linux_memory_file(const char *name);

/* From now on nobody changes the bytes of a file in memory, this process included. F_ADD_SEALS in fcntl(2). */
int linux_seal_memory(int file);
