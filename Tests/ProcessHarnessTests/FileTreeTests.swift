import ProcessHarness
import Testing

@Suite("File tree")
struct FileTreeTests {
    @Test("copies and removes whole folders")
    func copying() throws {
        let folder = try TemporaryFolder("harness-test")
        let source = folder.file("source")
        _ = try Command("mkdir", ["-p", source + "/deep/deeper"]).run()
        try FileTree.write([1, 2, 3], to: source + "/deep/data")
        try FileTree.copy(source, to: folder.file("target"))
        #expect(FileTree.names(in: folder.file("target/deep")) == ["data", "deeper"])
        #expect(FileTree.read(folder.file("target/deep/data")) == [1, 2, 3])
        FileTree.remove(source)
        #expect(!FileTree.exists(source))
        #expect(FileTree.exists(folder.file("target/deep/data")))
    }

    @Test("follows no link when it removes")
    func links() throws {
        let folder = try TemporaryFolder("harness-test")
        try FileTree.write([1], to: folder.file("kept"))
        _ = try Command("mkdir", [folder.file("gone")]).run()
        _ = try Command("ln", ["-s", folder.path, folder.file("gone/link")]).run()
        FileTree.remove(folder.file("gone"))
        #expect(FileTree.exists(folder.file("kept")))
        #expect(!FileTree.exists(folder.file("gone")))
    }

    @Test("a temporary folder goes with its object")
    func temporary() throws {
        var folder: TemporaryFolder? = try TemporaryFolder("harness-test")
        let path = try #require(folder?.path)
        try FileTree.write([1], to: path + "/file")
        #expect(FileTree.exists(path + "/file"))
        folder = nil
        #expect(!FileTree.exists(path))
    }
}
