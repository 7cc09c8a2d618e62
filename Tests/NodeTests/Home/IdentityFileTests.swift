import Glibc
import NodeCore
import ProcessHarness
import Testing

@testable import Node

@Suite struct IdentityFileTests {
    private static func identity() -> Identity {
        Identity(
            deviceSecret: Secret(bytes: [UInt8](repeating: 7, count: 32)), deviceName: "laptop ✓",
            accounts: [
                .init(
                    label: "main", secret: .phrase(entropy: Secret(bytes: [UInt8](repeating: 1, count: 16))),
                    createdAt: WallTime(milliseconds: 1_700_000_000_000)),
                .init(
                    label: "old", secret: .root(Secret(bytes: [UInt8](repeating: 2, count: 32))),
                    createdAt: WallTime(milliseconds: 0)),
            ])
    }

    @Test func comesBackAsItWasWritten() throws {
        let folder = try TemporaryFolder()
        let home = HomeFolder(path: folder.path + "/a/b")
        try home.create()
        #expect(!home.hasIdentity)
        try IdentityFile.save(Self.identity(), to: home)
        let read = try IdentityFile.load(from: home)
        #expect(read.encoded() == Self.identity().encoded())
        #expect(read.deviceName == "laptop ✓")
        var status = stat()
        #expect(stat(home.identityPath, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(!Files.exists(home.identityPath + ".new"))
    }

    @Test func isRefusedWhereOthersCanReadIt() throws {
        let folder = try TemporaryFolder()
        let home = HomeFolder(path: folder.path)
        try IdentityFile.save(Self.identity(), to: home)
        for mode: mode_t in [0o640, 0o604, 0o644, 0o620] {
            chmod(home.identityPath, mode)
            let error = #expect(throws: NodeError.self) { try IdentityFile.load(from: home) }
            #expect(error?.message.contains("chmod 600") == true)
        }
    }

    @Test func eachCutOrFlippedFileIsDamagedAndNeverTraps() throws {
        let bytes = Self.identity().encoded()
        for count in 0..<bytes.count {
            #expect(throws: IdentityCodingError.damaged) { try Identity(encoded: Array(bytes[..<count])) }
        }
        for position in bytes.indices {
            var flipped = bytes
            flipped[position] ^= 0x21
            _ = try? Identity(encoded: flipped)
        }
        var newer = bytes
        newer[2] = 9
        #expect(throws: IdentityCodingError.otherVersion(9)) { try Identity(encoded: newer) }
    }

    @Test func aMissingOneSaysWhatToRun() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: NodeError.self) { try IdentityFile.load(from: HomeFolder(path: folder.path)) }
        #expect(error?.message.contains("run `kachat-node init`") == true)
        #expect(error?.exitStatus == .failed)
    }
}
