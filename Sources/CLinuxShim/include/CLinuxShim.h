// What Swift cannot call by itself on Linux: headers that Glibc's module leaves out, variadic functions and macros.
#ifndef KACHAT_LINUX_SHIM_H
#define KACHAT_LINUX_SHIM_H

#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#endif

#endif
