import Glibc
package import JSONLines
package import Node
import NodeCore
import SyncState

/// Writes a container to a temporary file beside its path, verifies it, and moves it into place; only its owner can
/// read it.
package final class ContainerWriter {
    private let path: String
    private let temporary: String
    private let kind: ContainerFormat.Kind
    private let file: FileDescriptor
    private let encoder: ContainerEncoder
    private var written = 0
    private var isFinished = false

    /// Nothing appears at `path` before `finish`.
    ///
    /// - Parameter replaces: allows replacing an existing file.
    package init(path: String, kind: ContainerFormat.Kind, replaces: Bool) throws(NodeError) {
        self.path = Files.absolute(path)
        self.kind = kind
        encoder = ContainerEncoder(kind)
        try Self.checkTarget(self.path, replaces: replaces)
        temporary = self.path + ".new-\(getpid())"
        unlink(temporary)
        for path in Files.leftBehind(self.path + ".new-") { unlink(path) }
        do {
            file = try FileDescriptor(path: temporary, flags: O_RDWR | O_CREAT | O_EXCL)
            try file.setMode(0o600)
        } catch {
            throw Self.notWritten(path, error)
        }
        try write { _ in }
    }

    /// Refuses an existing file and a folder.
    package static func checkTarget(_ path: String, replaces: Bool) throws(NodeError) {
        guard !Files.isFolder(path) else { throw NodeError(.usage, "\(path) is a folder: name a file in it") }
        guard replaces || !Files.exists(path) else {
            throw NodeError(.exists, "\(path) already exists: choose another name, or replace it with --force")
        }
        // Even root must not replace a device or a pipe by a file.
        guard !Files.exists(path) || Files.isPlainFile(path) else {
            throw NodeError(.usage, "\(path) is not a plain file: name another one")
        }
    }

    package static func notWritten(_ path: String, _ error: FileError) -> NodeError {
        NodeError(.notWritten, "cannot write \(path): \(error.reason)")
    }

    deinit {
        if !isFinished { unlink(temporary) }
    }

    // MARK: Parts

    /// Adds what `body` gives to the encoder.
    package func write<Result>(_ body: (ContainerEncoder) throws(NodeError) -> Result) throws(NodeError) -> Result {
        let result = try body(encoder)
        let bytes = encoder.take()
        guard !bytes.isEmpty else { return result }
        do {
            try file.write(bytes)
        } catch {
            throw Self.notWritten(path, error)
        }
        written += bytes.count
        return result
    }

    package var parts: [ContainerPart] { encoder.parts }

    // MARK: The end

    /// Writes the manifest, verifies the file, and moves it into place. Durable when it returns.
    ///
    /// - Parameter fields: further fields of the manifest.
    /// - Returns: the size of the file in bytes.
    package func finish(_ fields: [String: JSONValue]) throws(NodeError) -> Int {
        try write { encoder throws(NodeError) in try encoder.finish(fields) }
        do {
            try file.synchronize()
        } catch {
            throw Self.notWritten(path, error)
        }
        let reader = try ContainerReader(path: temporary, kind: kind)
        guard reader.damagedParts().isEmpty else {
            throw NodeError(.notWritten, "\(path) does not read back as it was written: the disk may be failing")
        }
        try put()
        return written
    }

    private func put() throws(NodeError) {
        guard rename(temporary, path) == 0 else { throw Self.notWritten(path, .last("rename", path)) }
        isFinished = true
        do {
            try FileDescriptor(path: Files.parent(of: path) ?? "/", flags: O_RDONLY | O_DIRECTORY).synchronize()
        } catch {
            throw NodeError(
                .notWritten,
                "\(path) is complete, but a power cut may still undo it: its folder cannot be synced to the disk "
                    + "(\(error.reason))")
        }
    }
}
