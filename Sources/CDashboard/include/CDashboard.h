// The dashboard's files, embedded in the program.
#ifndef KACHAT_DASHBOARD_H
#define KACHAT_DASHBOARD_H

#include <stddef.h>

struct kachat_asset {
    /// The path after `/dashboard/`.
    const char *name;
    /// Its media type.
    const char *type;
    const unsigned char *bytes;
    size_t count;
};

/// The file with that index; NULL after the last one.
const struct kachat_asset *kachat_asset_at(size_t index);

#endif
