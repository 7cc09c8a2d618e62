import Glibc

/// Descriptors 0, 1 and 2 of a program that was started with some of them closed (`kachat-node init >&-`).
package enum StandardDescriptors {
    /// Opens /dev/null where one is closed. Otherwise the first file that is opened would take its number, and what the
    /// program says would be written into an identity, a backup or a lock. To be called before anything is opened.
    ///
    /// Each gets the wrong direction on purpose: to read from a closed input or to write to a closed output stays an
    /// error (EBADF), so that nobody takes lost output for delivered.
    package static func holdClosed() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 && errno == EBADF {
            // open(2) gives the lowest number that is free, which is this one. Without O_CLOEXEC: it is for programs
            // that are started here, too.
            guard open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY) == number else { exit(1) }
        }
    }
}
