#define _GNU_SOURCE
#include "CLinuxShim.h"

#if defined(__linux__)
#include <malloc.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

int kachat_stream_socket(int family) {
    return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

int kachat_datagram_socket(int family) {
    return socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

int kachat_accept(int listener, struct sockaddr_storage *peer, socklen_t *peer_length) {
    return accept4(listener, (struct sockaddr *)peer, peer_length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int kachat_set_option(int socket, int level, int name, int value) {
    return setsockopt(socket, level, name, &value, sizeof value);
}

int kachat_get_option(int socket, int level, int name, int *value) {
    socklen_t length = sizeof *value;
    return getsockopt(socket, level, name, value, &length);
}

int64_t kachat_round_trip(int socket) {
    struct tcp_info info;
    socklen_t length = sizeof info;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return -1;
    if (length < offsetof(struct tcp_info, tcpi_rtt) + sizeof info.tcpi_rtt) return -1;
    return info.tcpi_rtt;
}

ssize_t kachat_send(int socket, const void *bytes, size_t count) {
    return send(socket, bytes, count, MSG_NOSIGNAL);
}

ssize_t kachat_receive(int socket, void *bytes, size_t count) {
    return recv(socket, bytes, count, 0);
}

int kachat_signal_descriptor(const int *signals, size_t count) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t index = 0; index < count; index++) {
        sigaddset(&set, signals[index]);
    }
    int failure = pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (failure != 0) {
        errno = failure;
        return -1;
    }
    return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

int kachat_read_signal(int descriptor) {
    struct signalfd_siginfo info;
    ssize_t count = read(descriptor, &info, sizeof info);
    if (count < 0) {
        return -1;
    }
    if (count != sizeof info) {
        errno = EAGAIN;
        return -1;
    }
    return (int)info.ssi_signo;
}

void kachat_ignore_broken_pipes(void) {
    signal(SIGPIPE, SIG_IGN);
}

void kachat_forbid_dumps(void) { (void)prctl(PR_SET_DUMPABLE, 0); }

void kachat_return_large_buffers(int bytes) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, bytes);
#else
    (void)bytes;
#endif
}

int kachat_ipv4_multicast_interface(int socket, unsigned int interface_index) {
    struct ip_mreqn request = {.imr_ifindex = (int)interface_index};
    return setsockopt(socket, IPPROTO_IP, IP_MULTICAST_IF, &request, sizeof request);
}

int kachat_ipv6_multicast_interface(int socket, unsigned int interface_index) {
    return kachat_set_option(socket, IPPROTO_IPV6, IPV6_MULTICAST_IF, (int)interface_index);
}

int kachat_ipv4_join(int socket, struct in_addr group, unsigned int interface_index) {
    struct ip_mreqn request = {.imr_multiaddr = group, .imr_ifindex = (int)interface_index};
    return setsockopt(socket, IPPROTO_IP, IP_ADD_MEMBERSHIP, &request, sizeof request);
}

int kachat_ipv6_join(int socket, struct in6_addr group, unsigned int interface_index) {
    struct ipv6_mreq request = {.ipv6mr_multiaddr = group, .ipv6mr_interface = interface_index};
    return setsockopt(socket, IPPROTO_IPV6, IPV6_JOIN_GROUP, &request, sizeof request);
}

int kachat_ipv4_leave(int socket, struct in_addr group, unsigned int interface_index) {
    struct ip_mreqn request = {.imr_multiaddr = group, .imr_ifindex = (int)interface_index};
    return setsockopt(socket, IPPROTO_IP, IP_DROP_MEMBERSHIP, &request, sizeof request);
}

int kachat_ipv6_leave(int socket, struct in6_addr group, unsigned int interface_index) {
    struct ipv6_mreq request = {.ipv6mr_multiaddr = group, .ipv6mr_interface = interface_index};
    return setsockopt(socket, IPPROTO_IPV6, IPV6_LEAVE_GROUP, &request, sizeof request);
}

int kachat_ipv4_prepare_receive(int socket) {
    if (kachat_set_option(socket, IPPROTO_IP, IP_PKTINFO, 1) != 0) {
        return -1;
    }
    return kachat_set_option(socket, IPPROTO_IP, IP_MULTICAST_ALL, 0);
}

#ifndef IPV6_MULTICAST_ALL
#define IPV6_MULTICAST_ALL 29
#endif

int kachat_ipv6_prepare_receive(int socket) {
    if (kachat_set_option(socket, IPPROTO_IPV6, IPV6_V6ONLY, 1) != 0 ||
        kachat_set_option(socket, IPPROTO_IPV6, IPV6_RECVPKTINFO, 1) != 0) {
        return -1;
    }
    // Older kernels than 4.20 do not know it; the arriving interface is checked for each datagram anyway.
    (void)kachat_set_option(socket, IPPROTO_IPV6, IPV6_MULTICAST_ALL, 0);
    return 0;
}

ssize_t kachat_send_datagram(
    int socket, const void *bytes, size_t count, const struct sockaddr *destination, socklen_t destination_length,
    const struct sockaddr *source, unsigned int interface_index) {
    union {
        struct cmsghdr header;
        char ipv4[CMSG_SPACE(sizeof(struct in_pktinfo))];
        char ipv6[CMSG_SPACE(sizeof(struct in6_pktinfo))];
    } control;
    memset(&control, 0, sizeof control);
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {
        .msg_name = (void *)destination,
        .msg_namelen = destination_length,
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = &control,
    };
    if (destination->sa_family == AF_INET && source->sa_family == AF_INET) {
        struct in_pktinfo info = {
            .ipi_ifindex = (int)interface_index,
            .ipi_spec_dst = ((const struct sockaddr_in *)source)->sin_addr,
        };
        message.msg_controllen = CMSG_SPACE(sizeof info);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = IPPROTO_IP;
        header->cmsg_type = IP_PKTINFO;
        header->cmsg_len = CMSG_LEN(sizeof info);
        memcpy(CMSG_DATA(header), &info, sizeof info);
    } else if (destination->sa_family == AF_INET6 && source->sa_family == AF_INET6) {
        struct in6_pktinfo info = {
            .ipi6_addr = ((const struct sockaddr_in6 *)source)->sin6_addr,
            .ipi6_ifindex = interface_index,
        };
        message.msg_controllen = CMSG_SPACE(sizeof info);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = IPPROTO_IPV6;
        header->cmsg_type = IPV6_PKTINFO;
        header->cmsg_len = CMSG_LEN(sizeof info);
        memcpy(CMSG_DATA(header), &info, sizeof info);
    } else {
        errno = EAFNOSUPPORT;
        return -1;
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT | MSG_DONTROUTE);
}

union kachat_origin_control {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(struct in6_pktinfo)) + CMSG_SPACE(sizeof(struct in_pktinfo))];
};

static void kachat_read_origin(struct msghdr *message, struct kachat_datagram_origin *origin) {
    origin->source_length = message->msg_namelen;
    origin->truncated = (message->msg_flags & MSG_TRUNC) != 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header != NULL; header = CMSG_NXTHDR(message, header)) {
        if (header->cmsg_level == IPPROTO_IP && header->cmsg_type == IP_PKTINFO) {
            struct in_pktinfo info;
            memcpy(&info, CMSG_DATA(header), sizeof info);
            struct sockaddr_in *destination = (struct sockaddr_in *)&origin->destination;
            destination->sin_family = AF_INET;
            destination->sin_addr = info.ipi_addr;
            origin->destination_length = sizeof *destination;
            origin->interface_index = (unsigned int)info.ipi_ifindex;
        } else if (header->cmsg_level == IPPROTO_IPV6 && header->cmsg_type == IPV6_PKTINFO) {
            struct in6_pktinfo info;
            memcpy(&info, CMSG_DATA(header), sizeof info);
            struct sockaddr_in6 *destination = (struct sockaddr_in6 *)&origin->destination;
            destination->sin6_family = AF_INET6;
            destination->sin6_addr = info.ipi6_addr;
            origin->destination_length = sizeof *destination;
            origin->interface_index = info.ipi6_ifindex;
        }
    }
}

int kachat_receive_datagrams(
    int socket, void *bytes, size_t capacity, struct kachat_datagram_origin *origins, unsigned int count) {
    struct mmsghdr messages[KACHAT_DATAGRAMS];
    struct iovec parts[KACHAT_DATAGRAMS];
    union kachat_origin_control controls[KACHAT_DATAGRAMS];
    if (count > KACHAT_DATAGRAMS) {
        count = KACHAT_DATAGRAMS;
    }
    memset(origins, 0, count * sizeof *origins);
    for (unsigned int index = 0; index < count; index++) {
        parts[index] = (struct iovec){.iov_base = (char *)bytes + index * capacity, .iov_len = capacity};
        messages[index].msg_hdr = (struct msghdr){
            .msg_name = &origins[index].source,
            .msg_namelen = sizeof origins[index].source,
            .msg_iov = &parts[index],
            .msg_iovlen = 1,
            .msg_control = &controls[index],
            .msg_controllen = sizeof controls[index],
        };
    }
    int received = recvmmsg(socket, messages, count, MSG_DONTWAIT, NULL);
    for (int index = 0; index < received; index++) {
        origins[index].byte_count = messages[index].msg_len;
        kachat_read_origin(&messages[index].msg_hdr, &origins[index]);
    }
    return received;
}

const struct sockaddr *kachat_broadcast_address(const struct ifaddrs *entry) {
    return entry->ifa_broadaddr;
}

const char *kachat_error_text(int code, char *buffer, size_t capacity) {
    return strerror_r(code, buffer, capacity);
}
#endif
