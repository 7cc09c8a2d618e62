import Glibc

/// Reads and writes a home's file `identity`.
package enum IdentityFile {
    /// Loads the identity. Throws an error that says why there is none and what to do.
    package static func load(from home: HomeFolder) throws(NodeError) -> Identity {
        var bytes: [UInt8]
        do {
            bytes = try readPrivate(home.identityPath)
        } catch {
            throw complaint(error, home)
        }
        defer { wipe(&bytes) }
        do {
            return try Identity(encoded: bytes)
        } catch {
            throw complaint(error, home)
        }
    }

    private static func complaint(_ failure: ReadFailure, _ home: HomeFolder) -> NodeError {
        let path = home.identityPath
        switch failure {
        case .system(let error) where error.number == ENOENT:
            return NodeError(
                .noIdentity, "there is no node in \(home.path) yet\(advice: ": set it up with `kachat-node setup`")")
        case .system(let error):
            return NodeError(.badIdentity, "cannot read \(path): \(error.reason)")
        case .exposed(let mode):
            let shown = String(mode, radix: 8)
            return NodeError(
                .badIdentity,
                "\(path) holds your keys and can be read by others (mode \(shown)): run `chmod 600 \(path)`")
        case .notAFile:
            return NodeError(.badIdentity, "\(path) is not a plain file")
        }
    }

    private static func complaint(_ failure: IdentityCodingError, _ home: HomeFolder) -> NodeError {
        switch failure {
        case .otherVersion(let version) where version > Identity.version:
            NodeError(
                .badIdentity,
                "\(home.path) has version \(version), this program reads \(Identity.version): update kachat-node")
        case .otherVersion(let version):
            NodeError(
                .badIdentity,
                """
                \(home.path) was made by kachat-node \(Version.ofHome(version)) (version \(version)), this is \
                \(Version.current)\(advice: ": run `kachat-node export --archive FILE` with the older program; ")\
                \(advice: "with this one make a new home from the same recovery phrase, and import FILE there")
                """)
        case .damaged:
            NodeError(
                .badIdentity,
                """
                \(home.identityPath) is damaged: move \(home.path) aside, and restore a backup in its place, or start \
                a new home there from the recovery phrase\
                \(advice: " (`kachat-node init --phrase-file F`)")
                """)
        }
    }

    /// Writes it atomically.
    package static func save(_ identity: Identity, to home: HomeFolder) throws(NodeError) {
        try write(identity, to: home.identityPath, of: home)
    }

    /// Writes it atomically to a path in the home. The file that it replaces is overwritten before its space is free,
    /// if the file system lets us: it may hold a phrase that must not remain anywhere.
    package static func write(_ identity: Identity, to path: String, of home: HomeFolder) throws(NodeError) {
        var bytes = identity.encoded()
        defer { wipe(&bytes) }
        let old = try? FileDescriptor(path: path, flags: O_WRONLY)
        do {
            try Files.replace(path, with: bytes)
        } catch {
            throw home.notWritable(error)
        }
        guard let old, let size = try? old.status().st_size else { return }
        try? old.write([UInt8](repeating: 0, count: Int(clamping: size)))
        try? old.synchronize()
    }

    private enum ReadFailure: Error {
        case system(FileError)
        case exposed(mode: mode_t)
        case notAFile
    }

    /// The bytes of a file that must not be readable by others. This is checked on the open file, so that swapping it
    /// meanwhile has no effect.
    private static func readPrivate(_ path: String) throws(ReadFailure) -> [UInt8] {
        do {
            let file = try FileDescriptor(path: path, flags: O_RDONLY)
            let status = try file.status()
            guard status.st_mode & S_IFMT == S_IFREG else { throw ReadFailure.notAFile }
            guard status.st_mode & 0o077 == 0 else { throw ReadFailure.exposed(mode: status.st_mode & 0o777) }
            return try file.readAll(limit: Limits.identityFileBytes)
        } catch let error as ReadFailure {
            throw error
        } catch let error as FileError {
            throw .system(error)
        } catch {
            preconditionFailure("invariant: only the two errors above are thrown")
        }
    }
}
