// The dashboard's files, as they lie in Files/: part of the program, so that it needs no files beside itself.
#ifndef KACHAT_DASHBOARD_H
#define KACHAT_DASHBOARD_H

#include <stddef.h>

struct kachat_asset {
    /// Behind `/dashboard/`.
    const char *name;
    /// Its media type.
    const char *type;
    const unsigned char *bytes;
    size_t count;
};

/// The files, one behind the other; NULL behind the last one.
const struct kachat_asset *kachat_asset_at(size_t index);

#endif
