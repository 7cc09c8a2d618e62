import Glibc

/// Descriptors 0, 1 and 2 of a program that was started with some of them closed (`kachat-node init >&-`).
package enum StandardDescriptors {
    /// Opens /dev/null for closed descriptors. Otherwise the first opened file would get such a number, and output
    /// would be written into an identity, a backup or a lock. Call it before opening anything.
    ///
    /// Each is deliberately opened in the wrong direction: reading from a closed input or writing to a closed output
    /// stays an error (EBADF), so that lost output is not mistaken for delivered.
    package static func holdClosed() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 && errno == EBADF {
            // open(2) returns the lowest free number, which is this one. Without O_CLOEXEC: programs started from here
            // need it, too.
            guard open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY) == number else { exit(1) }
        }
    }
}
