import Glibc
import NodeCore
import ProcessHarness
import Testing

@testable import Node

@Suite struct HomeFolderTests {
    @Test func theFlagWinsOverTheEnvironment() throws {
        let all = Environment(["KACHAT_HOME": "/k", "XDG_DATA_HOME": "/x", "HOME": "/h"])
        #expect(try HomeFolder.resolve(flag: "/f", environment: all).path == "/f")
        #expect(try HomeFolder.resolve(flag: nil, environment: all).path == "/k")
        let data = Environment(["XDG_DATA_HOME": "/x", "HOME": "/h"])
        #expect(try HomeFolder.resolve(flag: nil, environment: data).path == "/x/kachat-node")
        #expect(
            try HomeFolder.resolve(flag: nil, environment: Environment(["HOME": "/h"])).path
                == "/h/.local/share/kachat-node")
        #expect(throws: NodeError.self) { try HomeFolder.resolve(flag: nil, environment: Environment([:])) }
    }

    @Test func theLockIsForOne() throws {
        let folder = try TemporaryFolder()
        let home = HomeFolder(path: folder.path)
        var first: HomeLock? = try HomeLock(home)
        let error = #expect(throws: NodeError.self) { try HomeLock(home) }
        #expect(error?.code == .homeInUse)
        #expect(error?.message.contains("process \(getpid())") == true)
        withExtendedLifetime(first) {}
        first = nil
        _ = try HomeLock(home)
    }

    @Test func aFileInTheWayIsNotWritable() throws {
        let folder = try TemporaryFolder()
        try Files.replace(folder.path + "/file", with: [1])
        let error = #expect(throws: NodeError.self) { try HomeFolder(path: folder.path + "/file/home").create() }
        #expect(error?.code == .homeNotWritable)
        #expect(error?.exitStatus == .failed)
    }

    @Test func aLongPathHasItsSocketElsewhere() throws {
        let folder = try TemporaryFolder()
        let long = HomeFolder(path: folder.path + "/" + String(repeating: "x", count: 120))
        try long.create()
        let path = try HomeSocketPath.prepare(long, environment: Environment(["XDG_RUNTIME_DIR": folder.path]))
        #expect(path.utf8.count <= 107)
        #expect(path.hasPrefix(folder.path + "/kachat-"))
        #expect(HomeSocketPath.find(long) == path)
        let short = HomeFolder(path: folder.path)
        #expect(try HomeSocketPath.prepare(short, environment: Environment([:])) == folder.path + "/node.sock")
        #expect(HomeSocketPath.find(short) == folder.path + "/node.sock")
    }

    @Test func aSharedSocketFolderIsNotTrusted() throws {
        let folder = try TemporaryFolder()
        let long = HomeFolder(path: folder.path + "/" + String(repeating: "y", count: 120))
        try long.create()
        let environment = Environment(["XDG_RUNTIME_DIR": folder.path])
        let path = try HomeSocketPath.prepare(long, environment: environment)
        let own = try #require(Files.parent(of: path))
        chmod(own, 0o777)
        let next = try HomeSocketPath.prepare(long, environment: environment)
        #expect(!next.hasPrefix(own))
        if let other = Files.parent(of: next) { rmdir(other) }
    }
}
