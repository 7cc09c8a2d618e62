import Chat
import Glibc
import Ledger
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
                    label: "main", keys: AccountSigner(seed: Secret(bytes: [UInt8](repeating: 3, count: 64))).keys,
                    createdAt: WallTime(milliseconds: 1_700_000_000_000),
                    phrase: Secret(bytes: [UInt8](repeating: 1, count: 16))),
                .init(
                    label: "old", keys: AccountSigner(walletKey: Secret(bytes: [UInt8](repeating: 2, count: 32))).keys,
                    createdAt: WallTime(milliseconds: 0)),
            ])
    }

    @Test func anotherGenesisOrRootIsAnotherAccount() throws {
        let identity = Self.identity()
        #expect(identity.accounts[0].keys.zone != identity.accounts[1].keys.zone)
        let read = try Identity(encoded: identity.encoded())
        for (one, other) in zip(read.accounts, identity.accounts) {
            #expect(one.keys.genesis == other.keys.genesis)
            #expect(one.keys.firstRoot.id == other.keys.firstRoot.id)
            #expect(ConstantTime.equals(one.keys.firstRoot.secret, other.keys.firstRoot.secret))
        }
    }

    @Test func aCopyForABackupHasNoPhrase() {
        let phrase = [UInt8](repeating: 1, count: 16)
        #expect(Self.identity().encoded().firstRange(of: phrase) != nil)
        #expect(Self.identity().withoutPersons.encoded().firstRange(of: phrase) == nil)
        #expect(Self.identity().withoutPersons.accounts.map(\.label) == ["main", "old"])
    }

    /// The file's content is overwritten, not only unlinked.
    @Test func theFileThatIsReplacedIsOverwritten() throws {
        let folder = try TemporaryFolder()
        let home = HomeFolder(path: folder.path)
        try IdentityFile.save(Self.identity(), to: home)
        let old = try FileDescriptor(path: home.identityPath, flags: O_RDONLY)
        try IdentityFile.save(Self.identity().withoutPersons, to: home)
        let left = try old.readAll(limit: 1 << 16)
        #expect(!left.isEmpty && left.allSatisfy { $0 == 0 })
        #expect(try IdentityFile.load(from: home).accounts.count == 2)
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
        #expect(error?.message.contains("set it up with `kachat-node setup`") == true)
        #expect(error?.exitStatus == .failed)
    }
}
