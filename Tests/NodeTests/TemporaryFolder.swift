import Glibc
import Testing

/// A folder for one test, gone when the value ends.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/kachat-test-XXXXXX".utf8CString)
        let made = mkdtemp(&template)
        try #require(made != nil)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { TemporaryFolder.remove(path) }

    private static func remove(_ path: String) {
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != "." && name != ".." { remove(path + "/" + name) }
            }
            closedir(folder)
            rmdir(path)
        } else {
            unlink(path)
        }
    }
}
