// For Linux, what Swift cannot call by itself: headers that Glibc's module leaves out, variadic functions, macros that
// are not plain numbers, and ancillary data. Every function here is one system call (or two), never policy.
#ifndef KACHAT_LINUX_SHIM_H
#define KACHAT_LINUX_SHIM_H

#if defined(__linux__)
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

/// socket(2) of SOCK_STREAM, non-blocking and closed on exec.
int kachat_stream_socket(int family);
/// socket(2) of SOCK_DGRAM, non-blocking and closed on exec.
int kachat_datagram_socket(int family);
/// accept4(2), the new socket non-blocking and closed on exec.
int kachat_accept(int listener, struct sockaddr_storage *peer, socklen_t *peer_length);
/// setsockopt(2) of an int.
int kachat_set_option(int socket, int level, int name, int value);
/// getsockopt(2) of an int.
int kachat_get_option(int socket, int level, int name, int *value);
/// The kernel's estimate of a TCP connection's round trip, in microseconds (tcp(7), TCP_INFO); -1 where it has none.
int64_t kachat_round_trip(int socket);
/// send(2) with MSG_NOSIGNAL.
ssize_t kachat_send(int socket, const void *bytes, size_t count);
/// recv(2) without flags.
ssize_t kachat_receive(int socket, void *bytes, size_t count);

/// A non-blocking signalfd(2) for the signals; blocks them in the calling thread (and in threads it starts later).
int kachat_signal_descriptor(const int *signals, size_t count);
/// The next signal number waiting at a signalfd, or -1 with errno.
int kachat_read_signal(int descriptor);
/// signal(SIGPIPE, SIG_IGN).
void kachat_ignore_broken_pipes(void);
/// prctl(PR_SET_DUMPABLE, 0): no core file, and no reading of memory by other programs of this user.
void kachat_forbid_dumps(void);
/// mallopt(M_MMAP_THRESHOLD) where there is one: memory of at least so many bytes goes back when it is freed.
void kachat_return_large_buffers(int bytes);

/// setsockopt IP_MULTICAST_IF by interface index.
int kachat_ipv4_multicast_interface(int socket, unsigned int interface_index);
/// setsockopt IPV6_MULTICAST_IF by interface index.
int kachat_ipv6_multicast_interface(int socket, unsigned int interface_index);
/// setsockopt IP_ADD_MEMBERSHIP by interface index.
int kachat_ipv4_join(int socket, struct in_addr group, unsigned int interface_index);
/// setsockopt IPV6_JOIN_GROUP by interface index.
int kachat_ipv6_join(int socket, struct in6_addr group, unsigned int interface_index);
/// setsockopt IP_DROP_MEMBERSHIP by interface index.
int kachat_ipv4_leave(int socket, struct in_addr group, unsigned int interface_index);
/// setsockopt IPV6_LEAVE_GROUP by interface index.
int kachat_ipv6_leave(int socket, struct in6_addr group, unsigned int interface_index);
/// Makes received IPv4 datagrams carry their interface and destination, and keeps other sockets' memberships out.
int kachat_ipv4_prepare_receive(int socket);
/// The same for IPv6.
int kachat_ipv6_prepare_receive(int socket);

/// One datagram out of exactly the named interface from the named source address (IP_PKTINFO, IPV6_PKTINFO), to hosts
/// on its link only (MSG_DONTROUTE). `source` and `destination` are both sockaddr_in or both sockaddr_in6.
ssize_t kachat_send_datagram(
    int socket, const void *bytes, size_t count, const struct sockaddr *destination, socklen_t destination_length,
    const struct sockaddr *source, unsigned int interface_index);

/// Datagrams received by one call at most.
#define KACHAT_DATAGRAMS 64

/// Where a datagram came from, as recvmmsg(2) told it.
struct kachat_datagram_origin {
    struct sockaddr_storage source;
    socklen_t source_length;
    /// The address it was sent to; the family is AF_UNSPEC when the kernel did not say.
    struct sockaddr_storage destination;
    socklen_t destination_length;
    unsigned int interface_index;
    unsigned int byte_count;
    /// Not 0 if the datagram was longer than the buffer.
    int truncated;
};

/// Up to `count` datagrams with their origins, each with `capacity` bytes of its own in `bytes` (recvmmsg(2)). Returns
/// how many; -1 with errno when none waits.
int kachat_receive_datagrams(
    int socket, void *bytes, size_t capacity, struct kachat_datagram_origin *origins, unsigned int count);

/// The IPv4 broadcast or peer address of an interface entry (a union that Swift sees as a struct), or NULL.
const struct sockaddr *kachat_broadcast_address(const struct ifaddrs *entry);

/// strerror_r(3): the text of an errno, in `buffer` or a constant of the library.
const char *kachat_error_text(int code, char *buffer, size_t capacity);
#endif

#endif
