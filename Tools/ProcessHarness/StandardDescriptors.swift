#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Descriptors 0, 1 and 2 of a program that was started with some of them closed.
package enum StandardDescriptors {
    /// Opens /dev/null where one is closed, so that no file and no pipe takes its number. To be called before anything
    /// is opened. Each gets the wrong direction on purpose: to read from a closed input or to write to a closed output
    /// stays an error.
    package static func holdClosed() {
        for number: Int32 in 0...2 where fcntl(number, F_GETFD) == -1 && errno == EBADF {
            guard open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY) == number else { exit(1) }
        }
    }
}
