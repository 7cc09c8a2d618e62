#include "CMicrohttpdShim.h"

/// Percent signs stay as they are: what they stand for is found where the path is split.
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text)
{
    (void)context;
    (void)connection;
    size_t count = 0;
    while (text[count] != 0) {
        count += 1;
    }
    return count;
}

/// The text of a report is for logs; nobody reads it.
static void report(void *context, const char *format, va_list arguments)
{
    (void)format;
    (void)arguments;
    const struct kachat_http_callbacks *callbacks = context;
    callbacks->report(callbacks->context);
}

struct MHD_Daemon *kachat_http_start(
    const struct kachat_http_callbacks *callbacks, unsigned int connections, unsigned int timeout_seconds,
    size_t memory_bytes)
{
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL,
        callbacks->handle, callbacks->context, MHD_OPTION_EXTERNAL_LOGGER, report, callbacks,
        MHD_OPTION_URI_LOG_CALLBACK, callbacks->begin, callbacks->context,
        MHD_OPTION_NOTIFY_COMPLETED, callbacks->completed, callbacks->context, MHD_OPTION_NOTIFY_CONNECTION,
        callbacks->connection, callbacks->context, MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL,
        MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_TIMEOUT, timeout_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory_bytes, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
}

void kachat_http_close_after(struct MHD_Response *response)
{
    MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

int kachat_http_descriptor(struct MHD_Daemon *daemon)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info == NULL ? -1 : info->epoll_fd;
}

int kachat_http_socket(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

int kachat_http_has_head(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE) != NULL;
}

void *kachat_http_socket_context(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}
