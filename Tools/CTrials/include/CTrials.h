#pragma once

/// prctl(PR_SET_PDEATHSIG, SIGTERM): this process is asked to end when its parent is gone, however that ended.
void kachat_end_with_parent(void);
/// unshare(2): the calling thread gets a network of its own.
int kachat_new_network_namespace(void);
/// setns(2): the calling thread moves to the network whose /proc/…/ns/net is open at `descriptor`.
int kachat_enter_network_namespace(int descriptor);
