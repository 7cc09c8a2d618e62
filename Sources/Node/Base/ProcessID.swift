import Glibc

/// This process's id, as shown by `ps`.
package enum ProcessID {
    package static var current: Int32 { getpid() }
}
