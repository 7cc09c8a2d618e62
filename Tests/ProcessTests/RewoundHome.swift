import NodeDriver
import ProcessHarness

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A home that is repeatedly put back into an earlier state.
///
/// The files stay the same ones: a store that finds itself in another file considers itself a copy, and starts afresh
/// (docs/STORAGE.md, section 6).
struct RewoundHome {
    private struct File {
        let path: String
        /// A second name, so that the file outlives its first.
        let link: String
        let content: [UInt8]
    }

    private let home: String
    private var folders: [String] = []
    private var files: [File] = []

    /// - Parameter node: a node that is not running.
    init(_ node: DrivenNode) throws {
        home = node.home
        mkdir(home + ".kept", 0o700)
        try keep(home)
    }

    private mutating func keep(_ folder: String) throws {
        for name in FileTree.names(in: folder) {
            let path = folder + "/" + name
            if let content = FileTree.read(path) {
                files.append(File(path: path, link: home + ".kept/\(files.count)", content: content))
                try link(path, files[files.count - 1].link)
            } else {
                // A file that can be neither read nor entered is the socket of a former node.
                folders.append(path)
                try keep(path)
            }
        }
    }

    func rewind() throws {
        for name in FileTree.names(in: home) { FileTree.remove(home + "/" + name) }
        for folder in folders { mkdir(folder, 0o700) }
        for file in files {
            try link(file.link, file.path)
            try FileTree.write(file.content, to: file.path)
        }
    }

    private func link(_ path: String, _ name: String) throws {
        #if canImport(Glibc)
            let failed = Glibc.link(path, name) != 0
        #else
            let failed = Darwin.link(path, name) != 0
        #endif
        if failed { throw HarnessError.system(call: "link \(path)", reason: String(cString: strerror(errno))) }
    }
}
