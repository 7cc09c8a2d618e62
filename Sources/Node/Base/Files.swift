package import Glibc

/// Folders and small files of a home.
package enum Files {
    /// mkdir(2) for the folder and its missing parents; new ones get `mode`.
    package static func makeFolders(_ path: String, mode: mode_t = 0o700) throws(FileError) {
        if mkdir(path, mode) == 0 || (errno == EEXIST && isFolder(path)) { return }
        guard errno == ENOENT, let parent = parent(of: path) else { throw .last("mkdir", path) }
        try makeFolders(parent, mode: mode)
        guard mkdir(path, mode) == 0 || errno == EEXIST else { throw .last("mkdir", path) }
    }

    private static func status(_ path: String) -> stat? {
        var found = stat()
        return stat(path, &found) == 0 ? found : nil
    }

    package static func isFolder(_ path: String) -> Bool { status(path).map { $0.st_mode & S_IFMT } == S_IFDIR }
    package static func isPlainFile(_ path: String) -> Bool { status(path).map { $0.st_mode & S_IFMT } == S_IFREG }

    /// The bits of chmod(2); nil if nothing is there.
    package static func mode(_ path: String) -> mode_t? { status(path).map { $0.st_mode & 0o7777 } }

    /// A file's size; 0 if there is none.
    package static func sizeBytes(_ path: String) -> Int { status(path).map { Int($0.st_size) } ?? 0 }

    /// Whether other users can read a file, also by the folders on the way to it.
    package static func isOpenToOthers(_ path: String) -> Bool {
        guard let resolved = realpath(path, nil) else { return false }
        defer { free(resolved) }
        let parts = String(cString: resolved).split(separator: "/")
        let folders = ["/"] + parts.indices.dropLast().map { "/" + parts[...$0].joined(separator: "/") }
        return [0o070, 0o007].contains { (group: mode_t) in
            mode(path).map { $0 & group & 0o066 != 0 } ?? false
                && folders.allSatisfy { mode($0).map { $0 & group & 0o011 != 0 } ?? true }
        }
    }

    /// The names in a folder except `.` and `..`, in ascending order; empty if it cannot be read.
    package static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// The path without its last part; nil at the root and for a bare name.
    package static func parent(of path: String) -> String? {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return nil }
        return String(path[..<slash])
    }

    /// Files beside `path` left behind by killed commands: their names begin with its last part and end with the number
    /// of a process that no longer exists.
    package static func leftBehind(_ path: String) -> [String] {
        let (folder, head) = (parent(of: path) ?? "/", path.split(separator: "/").last ?? "")
        return names(in: folder).filter { name in
            let process = name.hasPrefix(head) ? Int32(name.dropFirst(head.count)) ?? 0 : 0
            return process > 0 && kill(process, 0) != 0 && errno == ESRCH
        }.map { folder + "/" + $0 }
    }

    /// Makes a path absolute using the working folder; does not follow links.
    package static func absolute(_ path: String) -> String {
        if path.utf8.first == UInt8(ascii: "/") { return path }
        guard let working = getcwd(nil, 0) else { return path }
        defer { free(working) }
        let folder = String(cString: working)
        return path.isEmpty || path == "." ? folder : folder + "/" + path
    }

    /// Replaces a file so that a crash leaves either the old or the new one, complete: temporary file beside it, fsync,
    /// rename, fsync of the folder (rename(2), fsync(2)).
    package static func replace(_ path: String, with bytes: [UInt8], mode: mode_t = 0o600) throws(FileError) {
        let temporary = path + ".new"
        unlink(temporary)
        do {
            let file = try FileDescriptor(path: temporary, flags: O_WRONLY | O_CREAT | O_EXCL, mode: mode)
            try file.setMode(mode)
            try file.write(bytes)
            try file.synchronize()
            try put(temporary, at: path)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Gives a finished file its name, durably (rename(2), fsync(2) of the folder).
    package static func put(_ temporary: String, at path: String) throws(FileError) {
        guard rename(temporary, path) == 0 else { throw .last("rename", path) }
        try FileDescriptor(path: parent(of: path) ?? ".", flags: O_RDONLY | O_DIRECTORY).synchronize()
    }

    /// Bytes that this user may still write to the file system of a path (statvfs(3)); nil if unknown.
    package static func freeBytes(_ path: String) -> Int? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    }

    /// The whole file as text, at most `limit` bytes.
    package static func readText(_ path: String, limit: Int) throws(FileError) -> String {
        String(decoding: try FileDescriptor(path: path, flags: O_RDONLY).readAll(limit: limit), as: UTF8.self)
    }

    /// The folder of this program's file; nil if unknown.
    package static var programFolder: String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0, let slash = buffer[..<count].lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return String(decoding: buffer[..<slash], as: UTF8.self)
    }
}
