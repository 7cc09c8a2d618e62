import Glibc

/// This process, as `ps` names it.
enum ProcessID {
    static var current: Int32 { getpid() }
}
