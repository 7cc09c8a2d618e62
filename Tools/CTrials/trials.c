#define _GNU_SOURCE

#include "CTrials.h"

#if defined(__linux__)
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>

void kachat_end_with_parent(void) { (void)prctl(PR_SET_PDEATHSIG, SIGTERM); }

int kachat_new_network_namespace(void) { return unshare(CLONE_NEWNET); }

int kachat_enter_network_namespace(int descriptor) { return setns(descriptor, CLONE_NEWNET); }
#endif
