import Glibc

/// The exclusive right to use a home: held by one process at a time, released when the value ends or the process dies.
package final class HomeLock {
    private let file: FileDescriptor

    /// True if the process that last took the lock is alive. It does not take the lock, so that it keeps nobody else
    /// out. The kernel may have reused the process id, so use this only for a short wait.
    package static func hasHolder(_ home: HomeFolder) -> Bool {
        guard let text = try? Files.readText(home.lockPath, limit: 20), let process = Int32(text.dropLast()) else {
            return false
        }
        return process > 0 && process != getpid() && (kill(process, 0) == 0 || errno == EPERM)
    }

    /// Takes the lock, or throws an error that names its holder; never waits.
    package init(_ home: HomeFolder) throws(NodeError) {
        do {
            file = try FileDescriptor(path: home.lockPath, flags: O_RDWR | O_CREAT)
            guard try file.lockExclusively() else {
                let holder = try String(decoding: file.readAll(limit: 20), as: UTF8.self)
                let process = holder.isEmpty ? "" : " (process \(holder.prefix { $0.isNumber }))"
                throw NodeError(.homeInUse, "the home \(home.path) is in use by another kachat-node\(process)")
            }
            // On a full disk the lock holds without it.
            try? file.truncate(to: 0)
            try? file.write(Array("\(getpid())\n".utf8))
        } catch let error as FileError {
            throw home.notWritable(error)
        } catch let error as NodeError {
            throw error
        } catch {
            preconditionFailure("invariant: only the two errors above are thrown")
        }
    }
}
