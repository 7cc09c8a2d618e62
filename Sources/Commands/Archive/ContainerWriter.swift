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
    private let compressor = FrameCompressor()
    private var hasher = Blake2bHasher(domain: ContainerFormat.hashDomain)
    private var written = 0
    private var open: ContainerPart?
    package private(set) var parts: [ContainerPart] = []
    private var isFinished = false

    /// Nothing appears at `path` before `finish`.
    ///
    /// - Parameter replaces: allows replacing an existing file.
    package init(path: String, kind: ContainerFormat.Kind, replaces: Bool) throws(NodeError) {
        self.path = Files.absolute(path)
        self.kind = kind
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
        try write(ContainerFormat.head(kind))
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

    package func begin(_ kind: ContainerPart.Kind, name: String) {
        open = ContainerPart(kind, name: name, offset: written)
        hasher = Blake2bHasher(domain: ContainerFormat.hashDomain)
    }

    /// Bytes in the open part; 0 if none is open.
    package var plainBytes: Int { open?.plainBytes ?? 0 }

    package func add(_ bytes: [UInt8]) throws(NodeError) {
        open?.plainBytes += bytes.count
        try compress(bytes, isLast: false)
    }

    package func addLine(_ line: [UInt8]) throws(NodeError) {
        open?.lines += 1
        try add(line + [UInt8(ascii: "\n")])
    }

    package func end() throws(NodeError) {
        guard open != nil else { return }
        try compress([], isLast: true)
        guard var part = open else { return }
        part.bytes = written - part.offset
        part.hash = hasher.finish()
        parts.append(part)
        open = nil
    }

    private func compress(_ bytes: [UInt8], isLast: Bool) throws(NodeError) {
        do {
            try bytes.withUnsafeBytes { bytes in
                try compressor.compress(bytes, isLast: isLast) { frame in
                    hasher.update(frame)
                    try write([UInt8](frame))
                }
            }
        } catch let error as NodeError {
            throw error
        } catch {
            throw NodeError(.failed, "the compressor failed: nothing was written to \(path)")
        }
    }

    private func write(_ bytes: [UInt8]) throws(NodeError) {
        do {
            try file.write(bytes)
        } catch {
            throw Self.notWritten(path, error)
        }
        written += bytes.count
    }

    // MARK: The end

    /// Writes the manifest, verifies the file, and moves it into place. Durable when it returns.
    ///
    /// - Parameter fields: further fields of the manifest.
    /// - Returns: the size of the file in bytes.
    package func finish(_ fields: [String: JSONValue]) throws(NodeError) -> Int {
        try end()
        var manifest = fields
        manifest["format"] = "kachat \(kind.rawValue)"
        manifest["version"] = .number(ContainerFormat.version)
        manifest["program"] = .string(Version.current)
        manifest["parts"] = .array(parts.map(\.json))
        let json = JSONValue.object(manifest).encoded
        guard json.count <= Limits.manifestBytes else {
            throw NodeError(.failed, "too much data for one file: the list of its \(parts.count) parts is too long")
        }
        let place = (0..<8).map { UInt8(truncatingIfNeeded: written >> (56 - 8 * $0)) }
        let hash = Blake2b.hash32(json, domain: ContainerFormat.hashDomain)
        try write(ContainerFormat.skippable(1, json))
        try write(ContainerFormat.skippable(2, place + hash.bytes))
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
