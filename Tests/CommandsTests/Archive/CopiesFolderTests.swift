import Glibc
import ProcessHarness
import Testing

@testable import Commands
@testable import Node

/// Others may be able to write to a backup's folder.
@Suite struct CopiesFolderTests {
    private let folder: TemporaryFolder
    private var file: String { folder.path + "/me.backup" }
    /// The process number is above Linux's maximum, so no process has it.
    private var left: String { file + ".copies-2147483647" }
    private static let store = "0123456789abcdef.db"

    init() throws { folder = try TemporaryFolder() }

    private func make(_ path: String, _ names: [String], mode: mode_t = 0o700) throws {
        try Files.makeFolders(path)
        for name in names { try Files.replace(path + "/" + name, with: [1]) }
        try #require(chmod(path, mode) == 0)
    }

    @Test func whatAKilledBackupLeftBehindGoes() throws {
        try make(left, [Self.store, Self.store + "-journal"])
        CopiesFolder.removeLeftBehind(beside: file)
        #expect(!Files.exists(left))
    }

    @Test func aLinkIsNotFollowed() throws {
        let precious = folder.path + "/precious"
        try make(precious, ["diary", Self.store])
        for path in [left, file + ".copies-\(getpid())"] { try #require(symlink(precious, path) == 0) }
        CopiesFolder.removeLeftBehind(beside: file)
        #expect(throws: FileError.self) { _ = try CopiesFolder(beside: file) }
        #expect(!CopiesFolder.isOwn(left))
        #expect(Files.names(in: precious) == [Self.store, "diary"])
    }

    @Test func whatNoBackupMadeStays() throws {
        try make(left, ["diary", "notes.db", Self.store])
        CopiesFolder.removeLeftBehind(beside: file)
        #expect(Files.names(in: left) == ["diary", "notes.db"])
        try make(left, [Self.store], mode: 0o770)
        CopiesFolder.removeLeftBehind(beside: file)
        #expect(Files.names(in: left).contains(Self.store))
    }

    @Test func itsOwnIsTheUsersAloneAndGoesWithItsCopies() throws {
        let own = try CopiesFolder(beside: file)
        #expect(CopiesFolder.isOwn(own.path))
        try make(own.path, [Self.store])
        #expect(Files.names(in: try CopiesFolder(beside: file).path).isEmpty)
        own.remove()
        #expect(!Files.exists(own.path))
    }
}
