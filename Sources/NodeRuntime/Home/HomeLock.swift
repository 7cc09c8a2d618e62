import Glibc

/// The right to work with a home: held by one process at a time, let go when the value ends or the process dies.
package final class HomeLock {
    private let file: FileDescriptor

    /// Takes the lock or says who has it; never waits.
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
