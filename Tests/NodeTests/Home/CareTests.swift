import NodeCore
import ProcessHarness
import SyncState
import Testing

@testable import Node

@Suite struct CareTests {
    @Test func remindsUntilPhraseAndBackupAreThere() {
        var care = Care()
        #expect(care.reminder(unwritten: [nil], canBackUp: true)?.contains("recovery phrase") == true)
        #expect(care.reminder(unwritten: [nil], canBackUp: true)?.contains("backup") == true)
        #expect(care.reminder(unwritten: [], canBackUp: true)?.contains("recovery phrase") == false)
        #expect(care.reminder(unwritten: [], canBackUp: false) == nil)
        #expect(care.reminder(unwritten: [], canBackUp: false) == nil)
        care.backupAt = WallTime(milliseconds: 1)
        #expect(care.reminder(unwritten: [nil], canBackUp: true)?.contains("backup") == false)
        #expect(care.reminder(unwritten: [], canBackUp: true) == nil)
        let both = care.reminder(unwritten: ["main", "work"], canBackUp: true)
        #expect(both?.contains("phrase of main, work") == true)
    }

    @Test func comesBackAsItWasWritten() throws {
        let folder = try TemporaryFolder()
        let home = HomeFolder(path: folder.path)
        #expect(CareFile.load(from: home) == Care())
        try CareFile.note(backupAt: WallTime(milliseconds: 9), in: home)
        #expect(CareFile.load(from: home).backupAt == WallTime(milliseconds: 9))
        // With any other file the node reminds again, and work continues.
        try Files.replace(home.carePath, with: Array("[1, {".utf8))
        #expect(CareFile.load(from: home) == Care())
    }
}
