import Glibc

/// This process, as `ps` names it.
package enum ProcessID {
    package static var current: Int32 { getpid() }
}
