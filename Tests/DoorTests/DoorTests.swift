import NodeCore
import TestScale
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What `make fuzz` starts from, and some made of it, through each door.
@Suite struct DoorTests {
    private static let folder =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Fuzz/Corpus/"

    private static func inputs(of door: Door) throws -> [[UInt8]] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let kept = names.compactMap { FileManager.default.contents(atPath: folder + $0).map(Array.init) }
        return kept.filter { $0.first == door.rawValue } + door.samples
    }

    /// Some right input is read: else the mutations would stop at the first check.
    @Test(arguments: Door.allCases) func nothingTrapsOrHasTwoEncodings(door: Door) throws {
        let inputs = try Self.inputs(of: door)
        #expect(!inputs.isEmpty)
        var random = SeededRandom(seed: UInt64(door.rawValue))
        let each = TestScale.of(usual: 600, proof: 200_000) / inputs.count + 1
        for kept in inputs {
            if let fault = Door.fault(in: kept) { Issue.record("\(fault): \(kept)") }
            for _ in 0..<each {
                let input = Door.mutated(kept, &random)
                if let fault = Door.fault(in: input) { Issue.record("\(fault): \(input)") }
            }
        }
    }

    /// Of a home, as they are found by one scrub after another (`Door.store`).
    @Test func valuesThatRottedAreRefusedOrMended() {
        #expect(Door.faultsOfValues(step: TestScale.of(usual: 7, proof: 1)) == [])
    }

    /// Of a group's home.
    @Test func valuesOfAGroupThatRottedAreRefusedOrMended() {
        #expect(Door.faultsOfGroupValues(step: TestScale.of(usual: 7, proof: 1)) == [])
    }
}
