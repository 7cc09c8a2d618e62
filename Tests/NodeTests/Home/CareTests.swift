import NodeCore
import ProcessHarness
import SyncState
import Testing

@testable import Node

@Suite struct CareTests {
    private let one = AccountID(Bytes32(1, 2, 3, 4))
    private let two = AccountID(Bytes32(5, 6, 7, 8))
    private let program = Program(flag: "/tmp/a home")

    @Test func remindsUntilPhraseAndBackupAreThere() {
        var care = Care()
        let accounts = [(id: one, label: "main")]
        #expect(care.reminder(of: accounts, program: program)?.contains("recovery phrase") == true)
        #expect(care.reminder(of: accounts, program: program)?.contains("backup") == true)
        care.backupAt = WallTime(milliseconds: 1)
        #expect(care.reminder(of: accounts, program: program)?.contains("backup") == false)
        care.confirm(one, at: WallTime(milliseconds: 2))
        #expect(care.reminder(of: accounts, program: program) == nil)
        let both = accounts + [(id: two, label: "work")]
        #expect(care.reminder(of: both, program: program)?.contains("phrase of work") == true)
        #expect(
            care.reminder(of: both, program: program)?
                .contains("`kachat-node --home '/tmp/a home' account phrase --confirm --account work`") == true)
        // An account of a wallet's key has no phrase.
        #expect(care.reminder(of: [], program: program) == nil)
    }

    @Test func comesBackAsItWasWritten() throws {
        let folder = try TemporaryFolder()
        let home = HomeFolder(path: folder.path)
        #expect(CareFile.load(from: home) == Care())
        try CareFile.change(home) { $0.confirm(one, at: WallTime(milliseconds: 7)) }
        try CareFile.change(home) { $0.backupAt = WallTime(milliseconds: 9) }
        let care = CareFile.load(from: home)
        #expect(care.isConfirmed(one) && !care.isConfirmed(two))
        #expect(care.backupAt == WallTime(milliseconds: 9))
        // What is no such file reminds again rather than to keep anybody from work.
        try Files.replace(home.carePath, with: Array("[1, {".utf8))
        #expect(CareFile.load(from: home) == Care())
    }
}
