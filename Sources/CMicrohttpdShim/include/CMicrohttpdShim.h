// The variadic functions of libmicrohttpd, which Swift cannot call. Each function is one call of it, never policy.
#ifndef KACHAT_MICROHTTPD_SHIM_H
#define KACHAT_MICROHTTPD_SHIM_H

#include <microhttpd.h>

/// The functions that the library calls back; `context` is the first argument of each.
struct kachat_http_callbacks {
    MHD_AccessHandlerCallback handle;
    /// The request line is here; what it returns is the request's own pointer.
    void *(*begin)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    /// The library has something to report, such as a request that it refuses itself, before it writes the answer.
    void (*report)(void *context);
    void *context;
};

/// MHD_start_daemon without a listening socket and without threads, polled from outside through an epoll descriptor.
/// NULL where it cannot be started. The callbacks must stay where they are.
struct MHD_Daemon *kachat_http_start(
    const struct kachat_http_callbacks *callbacks, unsigned int connections, unsigned int timeout_seconds,
    size_t memory_bytes);

/// MHD_set_response_options of MHD_RF_HTTP_1_0_COMPATIBLE_STRICT: no chunks, and the connection is closed afterwards.
void kachat_http_close_after(struct MHD_Response *response);

/// MHD_get_daemon_info of MHD_DAEMON_INFO_EPOLL_FD; -1 where there is none.
int kachat_http_descriptor(struct MHD_Daemon *daemon);

/// MHD_get_connection_info of MHD_CONNECTION_INFO_CONNECTION_FD; -1 where it is gone.
int kachat_http_socket(struct MHD_Connection *connection);

/// MHD_get_connection_info of MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE: 1 once the whole head of a request is here.
int kachat_http_has_head(struct MHD_Connection *connection);

/// MHD_get_connection_info of MHD_CONNECTION_INFO_SOCKET_CONTEXT: what the connection callback has put there.
void *kachat_http_socket_context(struct MHD_Connection *connection);

#endif
