#include <sqlite3.h>

/// sqlite3_db_config(3), which is variadic, of a switch.
static inline int kachat_sqlite_switch(sqlite3 *connection, int option, int value) {
    return sqlite3_db_config(connection, option, value, (int *)0);
}
