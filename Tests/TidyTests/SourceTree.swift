#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// All files of the package that are under the rules.
struct SourceTree {
    var files: [SourceFile]

    /// The names of the source files of a module, without their endings and aspects (`Store` for `Store+Scrub.swift`).
    func sourceNames(of module: String) -> [String] {
        files.filter { $0.isSource && $0.target == module }
            .map { String($0.baseName.prefix { $0 != "+" }) }
    }

    /// The package as it lies around this very file.
    static let package: SourceTree = {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return SourceTree(root: "/" + root)
    }()

    private init(root: String) {
        let manager = FileManager.default
        var paths = ["Package.swift"]
        for folder in ["Sources", "Tests"] {
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
