#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Operations on whole folders and files, for homes that are created, copied and deleted.
package enum FileTree {
    /// Removes the file, or the folder with its content. Ignores files that do not exist or cannot be removed.
    package static func remove(_ path: String) {
        for name in names(in: path) { remove(path + "/" + name) }
        if unlink(path) != 0 { rmdir(path) }
    }

    /// The names in a folder, sorted; empty if it is not a folder. Links are not followed.
    package static func names(in path: String) -> [String] {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0, let folder = fdopendir(descriptor) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    package static func sizeBytes(of path: String) -> Int? {
        var information = stat()
        return lstat(path, &information) == 0 ? Int(information.st_size) : nil
    }

    /// The bits of chmod(2).
    package static func mode(of path: String) -> UInt32? {
        var information = stat()
        return lstat(path, &information) == 0 ? UInt32(information.st_mode) & 0o777 : nil
    }

    /// The whole file; nil if it cannot be read.
    package static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while let some = try? System.readSome(descriptor) {
            if some.isEmpty { return bytes }
            bytes += some
        }
        return nil
    }

    /// Creates or replaces the file, readable only by its owner.
    package static func write(_ bytes: [UInt8], to path: String) throws(HarnessError) {
        let descriptor = try System.check("open \(path)") {
            open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        }
        defer { close(descriptor) }
        var done = 0
        while done < bytes.count {
            done += try System.check("write \(path)") {
                bytes.withUnsafeBytes { whole in
                    #if canImport(Glibc)
                        Glibc.write(descriptor, whole.baseAddress?.advanced(by: done), whole.count - done)
                    #else
                        Darwin.write(descriptor, whole.baseAddress?.advanced(by: done), whole.count - done)
                    #endif
                }
            }
        }
    }

    /// Copies a file, or a folder with all its plain files and folders; links and sockets are omitted.
    package static func copy(_ source: String, to target: String) throws(HarnessError) {
        var information = stat()
        _ = try System.check("stat \(source)") { lstat(source, &information) }
        switch information.st_mode & S_IFMT {
        case S_IFDIR:
            _ = try System.check("mkdir \(target)") { mkdir(target, 0o700) }
            for name in names(in: source) { try copy(source + "/" + name, to: target + "/" + name) }
        case S_IFREG:
            guard let bytes = read(source) else { throw HarnessError.system(call: "read \(source)", reason: "failed") }
            try write(bytes, to: target)
            chmod(target, information.st_mode & 0o777)
        default: break
        }
    }
}
