import NodeDriver
import ProcessHarness
import TestScale
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// Backups and restores that are cut off, and what remains of them.
    @Suite struct Restore {
        /// A node with two accounts, the second with the larger store, and a group; and its backup.
        private func prepare(_ fixture: Fixture) throws -> (node: DrivenNode, backup: String) {
            let node = try fixture.node("one")
            try node.run(["import", try fixture.file("few", Talk(20).lines)])
            try node.run(["account", "create", "--label", "work"])
            let many = try fixture.file("many", Talk(6_000, seed: 8).lines)
            try node.run(["import", many, "--account", "work"])
            try node.run(["group", "create", "Family"])
            try node.run(["config", "set", "log.level", "debug"])
            let backup = fixture.folder.file("backup")
            try node.run(["backup", backup])
            return (node, backup)
        }

        /// Checks that everything in the backup is in the home, and that it works.
        private func checkWhole(_ restored: DrivenNode, _ node: DrivenNode, _ what: Comment) throws {
            #expect(!FileTree.exists(restored.home + "/identity.restoring"), what)
            for account in ["main", "work"] {
                let export = ["export", "--account", account]
                #expect(try restored.run(export) == node.run(export), what)
            }
            #expect(try restored.run(["group", "list"]).contains("Family"), what)
            #expect(try restored.run(["config", "get", "log.level"]).contains("debug"), what)
            #expect(try restored.run(["scrub"]).contains("all good"), what)
        }

        /// The kernel kills it in the middle of the second store (SIGXFSZ): the first is there, the identity is not.
        @Test func aRestoreThatIsKilledBetweenItsStoresIsRepeated() throws {
            let fixture = try Fixture()
            let (node, backup) = try prepare(fixture)
            let restored = DrivenNode(fixture.binary, name: "restored", home: fixture.folder.file("restored"))
            var killed = restored.binary.command(home: restored.home, ["restore", backup])
            // The limit is between the sizes of the two stores, in blocks of 512 bytes.
            let limited = "ulimit -c 0; ulimit -f 2400; exec \"$0\" \"$@\""
            killed.arguments = ["-c", limited, killed.program] + killed.arguments
            killed.program = "/bin/sh"
            for _ in 0..<2 {
                #expect(try killed.run().status == .killed(signal: SIGXFSZ))
                #expect(!FileTree.exists(restored.home + "/identity"))
                #expect(FileTree.names(in: restored.home + "/zones").contains { $0.hasSuffix(".db") })
            }
            try restored.run(["restore", backup])
            try checkWhole(restored, node, "restored")
        }

        /// The kills come closer and closer to the end of an undisturbed restore.
        @Test func aRestoreThatIsKilledAtAnyMomentIsRepeated() throws {
            let fixture = try Fixture()
            let (node, backup) = try prepare(fixture)
            let first = DrivenNode(fixture.binary, name: "first", home: fixture.folder.file("first"))
            let clock = ContinuousClock()
            let whole = try clock.measure { try first.run(["restore", backup]) }
            var wasCutOff = false
            let pace = TestScale.of(usual: 4, proof: 1)
            for step in stride(from: pace, through: 16, by: pace) {
                let restored = DrivenNode(fixture.binary, name: "home", home: fixture.folder.file("home-\(step)"))
                let child = try ChildProcess(restored.binary.command(home: restored.home, ["restore", backup]))
                let moment = clock.now + whole * step / 16
                while clock.now < moment && child.isRunning { usleep(500) }
                child.killNow()
                _ = try child.wait()
                let isHome = FileTree.exists(restored.home + "/identity")
                wasCutOff = wasCutOff || !isHome && FileTree.exists(restored.home)
                let again = try restored.attempt(["restore", backup])
                #expect(again.status == .exited(isHome ? 1 : 0), "\(step): \(again.errorOutput)")
                try checkWhole(restored, node, "\(step)")
            }
            #expect(wasCutOff)
        }

        /// A restore's remains give no right to a home that has an identity, or that was made since.
        @Test func aHomeThatCameToBeMeanwhileStays() throws {
            let fixture = try Fixture()
            let (node, backup) = try prepare(fixture)
            let home = fixture.folder.file("home")
            let own = DrivenNode(fixture.binary, name: "own", home: home)
            mkdir(home, 0o700)
            try FileTree.copy(node.home + "/identity", to: home + "/identity.restoring")
            try own.initialise()
            try own.run(["import", try fixture.file("own", Talk(5, seed: 9).lines)])
            #expect(!FileTree.exists(home + "/identity.restoring"))
            try FileTree.copy(node.home + "/identity", to: home + "/identity.restoring")
            let refused = try own.attempt(["restore", backup])
            #expect(refused.status == .exited(1) && refused.errorOutput.contains("already has an identity"))
            #expect(try own.messageCount() == 5)
            // They give none to stores that nothing marks as left by a restore.
            FileTree.remove(home + "/identity.restoring")
            FileTree.remove(home + "/identity")
            let stores = FileTree.names(in: home + "/zones")
            let kept = try own.attempt(["restore", backup])
            #expect(kept.status == .exited(1) && kept.errorOutput.contains("already has stores"))
            #expect(FileTree.names(in: home + "/zones") == stores)
        }

        /// The file is whole and in place: a home that cannot note it does not make the backup fail.
        @Test func aBackupOfAHomeThatTakesNoNoteIsOne() throws {
            let fixture = try Fixture()
            let (node, backup) = try prepare(fixture)
            let obstacle = node.home + "/care.json.new"
            mkdir(obstacle, 0o700)
            let result = try node.attempt(["backup", "--force", backup])
            #expect(result.status == .exited(0))
            #expect(result.errorOutput.contains("the backup is complete, but"), "\(result.errorOutput)")
            rmdir(obstacle)
            let restored = DrivenNode(fixture.binary, name: "restored", home: fixture.folder.file("restored"))
            let said = try restored.run(["restore", backup])
            #expect(said.contains("It is called one, like the device that made the backup"))
            #expect(said.contains("device rename NAME"))
            try checkWhole(restored, node, "restored")
        }
    }
}
