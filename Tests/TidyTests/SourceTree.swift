#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// All files of the package to which the rules apply.
struct SourceTree {
    var files: [SourceFile]

    /// The names of a module's files and folders, without extensions and aspects (`Store` for `Store+Scrub.swift`).
    func sourceNames(of module: String) -> Set<String> {
        var names: Set<String> = []
        for file in files where file.isSource && file.target == module {
            names.formUnion(file.path.split(separator: "/").dropFirst(2).dropLast().map(String.init))
            names.insert(String(file.baseName.prefix { $0 != "+" }))
        }
        return names
    }

    /// The package that contains this very file.
    static let package = SourceTree(root: root)
    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    /// The text of any file of the package.
    ///
    /// - Parameter path: relative to the package's root.
    static func text(of path: String) -> String? {
        FileManager.default.contents(atPath: root + "/" + path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// - Parameter path: of a file or folder, relative to the package's root.
    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: root + "/" + path) }

    private init(root: String) {
        let manager = FileManager.default
        var paths = ["Package.swift"]
        for folder in ["Sources", "Tests", "Tools", "Examples"] {
            let found = (try? manager.subpathsOfDirectory(atPath: root + "/" + folder)) ?? []
            paths += found.map { folder + "/" + $0 }
        }
        let endings = [".swift", ".c", ".h"]
        files = paths.sorted().filter { path in endings.contains { path.hasSuffix($0) } }
            .compactMap { path in
                manager.contents(atPath: root + "/" + path)
                    .map { SourceFile(path: path, text: String(decoding: $0, as: UTF8.self)) }
            }
    }

    init(files: [SourceFile]) {
        self.files = files
    }
}
