#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Descriptors 0, 1 and 2 of a program that was started with some of them closed.
package enum StandardDescriptors {
    /// Opens /dev/null for closed descriptors, so that no file or pipe gets such a number. Call it before opening
    /// anything. Each is deliberately opened in the wrong direction: reading from a closed input or writing to a closed
    /// output stays an error.
    package static func holdClosed() {
        for number: Int32 in 0...2 where fcntl(number, F_GETFD) == -1 && errno == EBADF {
            guard open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY) == number else { exit(1) }
        }
    }
}
