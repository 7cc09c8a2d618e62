import NodeDriver
import ProcessHarness
import SyncState
import Testing

extension ProcessTests {
    /// Homes that were copied, restored, damaged, or have no room left.
    @Suite struct Damage {
        @Test func aRestoredHomeStartsAfreshAndLosesNothing() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            let talk = Talk(300)
            try nodes[0].run(["import", try fixture.file("first", Array(talk.lines[..<100]))])
            try fixture.waitForAgreement(nodes, messages: 100)
            let before = try nodes[0].status().deviceId
            nodes[0].stop()
            let backup = fixture.folder.file("backup")
            try FileTree.copy(nodes[0].home, to: backup)
            try nodes[0].start()
            try nodes[0].run(["import", try fixture.file("second", Array(talk.lines[100..<200]))])
            try fixture.waitForAgreement(nodes, messages: 200)
            nodes[0].stop()
            FileTree.remove(nodes[0].home)
            try FileTree.copy(backup, to: nodes[0].home)
            try nodes[0].start()
            try nodes[0].run(["import", try fixture.file("third", Array(talk.lines[200...]))])
            try fixture.waitForAgreement(nodes, messages: 300)
            #expect(try nodes[0].status().deviceId != before)
            #expect(nodes[0].log.contains("started-afresh"))
        }

        @Test func aCopiedHomeThatRunsTwiceBecomesTwoDevices() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            let talk = Talk(200)
            try nodes[0].run(["import", try fixture.file("first", Array(talk.lines[..<100]))])
            try fixture.waitForAgreement(nodes, messages: 100)
            nodes[1].stop()
            let copy = fixture.folder.file("copy")
            try FileTree.copy(nodes[1].home, to: copy)
            let clone = fixture.adopt("clone", home: copy)
            try nodes[1].start()
            try clone.start()
            let all = nodes + [clone]
            try nodes[1].run(["import", try fixture.file("second", Array(talk.lines[100..<150]))])
            try clone.run(["import", try fixture.file("third", Array(talk.lines[150...]))])
            try fixture.waitForAgreement(all, messages: 200)
            #expect(Set(try all.map { try $0.status().deviceId }).count == 3)
        }

        @Test func aFlippedByteAndALostRowComeBackFromAPeer() throws {
            struct Report: Decodable {
                var damagedBlobs: Int
                var lanesDiffering: Int
            }
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            let talk = Talk(500)
            try nodes[0].run(["import", try fixture.file("chat", talk.lines)])
            try fixture.waitForAgreement(nodes, messages: 500)
            let exported = try nodes[0].run(["export"])
            nodes[1].stop()
            try Self.damage(nodes[1].home)
            try nodes[1].start()
            let report = try nodes[1].object(Report.self, ["scrub"])
            #expect(report.damagedBlobs >= 1)
            #expect(report.lanesDiffering >= 1)
            try fixture.waitForAgreement(nodes, messages: 500)
            #expect(try nodes[1].run(["export"]) == exported)
            let after = try nodes[1].object(Report.self, ["scrub"])
            #expect(after.damagedBlobs == 0)
            #expect(after.lanesDiffering == 0)
        }

        /// Flips a byte of one blob and deletes the row of another: the newest rows came first, and so did their blobs.
        private static func damage(_ home: String) throws {
            let name = try #require(FileTree.names(in: home + "/zones").first { $0.hasSuffix(".db") })
            let database = try Database(path: home + "/zones/" + name)
            let blobs = try database.prepare("SELECT id, data FROM blob ORDER BY id DESC LIMIT 1")
            try #require(try blobs.step())
            let id = blobs.int(0)
            var bytes = blobs.blob(1)
            blobs.reset()
            bytes[bytes.count / 2] ^= 1
            let update = try database.prepare("UPDATE blob SET data = ? WHERE id = ?")
            update.bind(1, bytes)
            update.bind(2, id)
            try update.run()
            try database.execute("DELETE FROM record WHERE id = (SELECT MAX(id) FROM record WHERE kind = 2)")
        }

        @Test func aFullDiskStopsNothingThatWasAcknowledged() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            let talk = Talk(6000, conversations: 100)
            try node.run(["import", try fixture.file("first", Array(talk.lines[..<500]))])
            node.limits = Command.Limits(fileSizeBytes: 1_500_000)
            try node.start()
            let result = try node.attempt(["import", try fixture.file("all", talk.lines)])
            #expect(result.status == .exited(1))
            #expect(result.errorOutput.contains("storage full"))
            struct Status: Decodable {
                struct Account: Decodable { var reason: String? }
                var accounts: [Account]
            }
            let reason = try node.object(Status.self, ["status"]).accounts[0].reason
            #expect(reason?.contains("storage full") == true)
            let held = try node.messageCount()
            #expect(held >= 500)
            try node.kill()
            node.limits = Command.Limits()
            try node.start()
            #expect(try node.messageCount() >= 500)
            try node.run(["import", try fixture.file("all", talk.lines)])
            #expect(try node.messageCount() == 6000)
        }
    }
}
