import NodeCore
import ProcessHarness
import SyncState
import Testing

@testable import Node

@Suite struct CareTests {
    private let program = Program(flag: "/tmp/a home")

    @Test func remindsUntilPhraseAndBackupAreThere() {
        var care = Care()
        #expect(care.reminder(unwritten: [nil], canBackUp: true, program: program)?.contains("recovery phrase") == true)
        #expect(care.reminder(unwritten: [nil], canBackUp: true, program: program)?.contains("backup") == true)
        #expect(care.reminder(unwritten: [], canBackUp: true, program: program)?.contains("recovery phrase") == false)
        #expect(care.reminder(unwritten: [], canBackUp: false, program: program) == nil)
        #expect(care.reminder(unwritten: [], canBackUp: false, program: program) == nil)
        care.backupAt = WallTime(milliseconds: 1)
        #expect(care.reminder(unwritten: [nil], canBackUp: true, program: program)?.contains("backup") == false)
        #expect(care.reminder(unwritten: [], canBackUp: true, program: program) == nil)
        let both = care.reminder(unwritten: ["main", "work"], canBackUp: true, program: program)
        #expect(both?.contains("phrase of main, work") == true)
        #expect(both?.contains("`kachat-node --home '/tmp/a home' account confirm --account work`") == true)
    }

    @Test func comesBackAsItWasWritten() throws {
        let folder = try TemporaryFolder()
        let home = HomeFolder(path: folder.path)
        #expect(CareFile.load(from: home) == Care())
        try CareFile.note(backupAt: WallTime(milliseconds: 9), in: home)
        #expect(CareFile.load(from: home).backupAt == WallTime(milliseconds: 9))
        // With any other file the node reminds again, and keeps nobody from work.
        try Files.replace(home.carePath, with: Array("[1, {".utf8))
        #expect(CareFile.load(from: home) == Care())
    }
}
