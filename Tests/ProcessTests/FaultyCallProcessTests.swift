import NodeDriver
import ProcessHarness
import SampleData
import TestScale
import Testing

extension ProcessTests {
    /// A command's n-th call that changes something on the disk fails, is torn, or is its last (`Tools/faulty-calls`).
    /// What it acknowledged is there afterwards, and what failed can be repeated.
    @Suite struct FaultyCalls {
        private static let source =
            "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
            + "/Tools/faulty-calls/faulty.c"
        static let hasCompiler = (try? Command("cc", ["--version"]).run().status.isSuccess) == true

        private enum Fault: String, CaseIterable {
            /// Before the call; in the middle of a write.
            case kill, tear
            /// Once, with EIO or ENOSPC.
            case fail, full
        }

        /// One node's commands under the library.
        private struct Bench {
            let fixture: Fixture
            let library: String

            init() throws {
                fixture = try Fixture()
                library = fixture.folder.file("faulty.so")
                let made = try Command("cc", ["-O1", "-shared", "-fPIC", "-o", library, FaultyCalls.source, "-ldl"])
                    .run()
                try #require(made.status.isSuccess, "\(made.errorOutput)")
            }

            /// Whether the command succeeded with the fault in it.
            func succeeds(_ home: String, _ arguments: [String], _ fault: Fault, at number: Int) throws -> Bool {
                var command = fixture.binary.command(home: home, arguments)
                command.environment["LD_PRELOAD"] = library
                command.environment["KACHAT_FAULT_FOLDER"] = fixture.folder.path + "/"
                command.environment["KACHAT_FAULT_AT"] = "\(number)"
                command.environment["KACHAT_FAULT"] = fault.rawValue
                return try command.run(within: Deadline.patience).status.isSuccess
            }

            /// The command fails at each n-th call in turn, until it ends before that.
            ///
            /// - Parameters:
            ///   - step: of n, in `make test`; the faults take turns there, and are all tried in `make prove`.
            ///   - arguments: of the n-th attempt.
            ///   - check: what holds after the command, once it has succeeded.
            /// - Returns: how many attempts failed.
            func sweep(
                _ what: String, step: Int, home: (Int) -> String, arguments: (Int) throws -> [String],
                check: (String) throws -> Void = { _ in }
            ) throws -> Int {
                var (number, attempt, failures, unhurt) = (1, 0, 0, 0)
                // One call alone may fail without consequence.
                while unhurt < 3 * Fault.allCases.count, number < 400 {
                    let faults = TestScale.of(
                        usual: [Fault.allCases[attempt % Fault.allCases.count]], proof: Fault.allCases)
                    for fault in faults {
                        let (place, words) = (home(attempt), try arguments(attempt))
                        attempt += 1
                        if try succeeds(place, words, fault, at: number) {
                            unhurt += 1
                        } else {
                            (failures, unhurt) = (failures + 1, 0)
                            let again = try fixture.binary.command(home: place, words).run(within: Deadline.patience)
                            #expect(
                                again.status.isSuccess,
                                "\(what) after \(fault) at call \(number): \(again.errorOutput.suffix(500))")
                        }
                        try check(place)
                    }
                    number += TestScale.of(usual: step, proof: 1)
                }
                return failures
            }
        }

        @Test(.enabled(if: hasCompiler, "needs cc")) func anImportLosesNothing() throws {
            let bench = try Bench()
            let node = try bench.fixture.node("one")
            let talk = Talk(1_600)
            var given = 0
            let failures = try bench.sweep("import", step: 3) { _ in
                node.home
            } arguments: { attempt in
                let part = talk.messages.dropFirst(given).prefix(1)
                given += part.count
                return ["import", try bench.fixture.file("part-\(attempt)", part.map(\.jsonLine))]
            }
            #expect(failures >= 5 && given < talk.messages.count)
            #expect(try node.exportedTxids() == Set(talk.messages.prefix(given).map(\.txidHex)))
            struct Report: Decodable {
                var damagedRows, damagedBlobs, damagedIndexes, lanesDiffering, lostMessages: Int
            }
            let report = try node.object(Report.self, ["scrub"])
            #expect(
                [
                    report.damagedRows, report.damagedBlobs, report.damagedIndexes, report.lanesDiffering,
                    report.lostMessages,
                ] == [0, 0, 0, 0, 0])
        }
    }
}
