#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A temporary folder that is deleted with its content: with this object, at the process's end, and on a signal that
/// `Cleanup` catches.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// - Parameter label: part of the name, so that somebody who finds it knows where it came from.
    package init(_ label: String = "kachat") throws(HarnessError) {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        var template = Array(((base.isEmpty ? "/tmp" : base) + "/\(label)-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw HarnessError.system(call: "mkdtemp", reason: System.errorText(errno))
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        Cleanup.shared.add(folder: path)
    }

    deinit {
        FileTree.remove(path)
        Cleanup.shared.remove(folder: path)
    }

    /// The path of a file in it.
    package func file(_ name: String) -> String { path + "/" + name }
}
