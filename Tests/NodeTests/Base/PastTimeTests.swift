import NodeCore
import Testing

@testable import Node

@Suite struct PastTimeTests {
    private static let now = WallTime(milliseconds: 1_763_800_000_000)

    @Test(arguments: [
        ("12h", 1_763_756_800_000), ("90m", 1_763_794_600_000), ("2025-11-22", 1_763_769_600_000),
        ("2025-11-22T08:26:40Z", 1_763_800_000_000 as Int64),
    ])
    func aTimeIsReadInEachForm(text: String, milliseconds: Int64) {
        #expect(PastTime.wall(text, now: Self.now) == WallTime(milliseconds: milliseconds))
        #expect(TextForm.past.isKept(text))
    }

    @Test(arguments: ["", "12", "never", "h", "yesterday", "2025-11-31", "2025-11-22 08:26"])
    func anythingElseIsRefused(text: String) {
        #expect(PastTime.wall(text, now: Self.now) == nil)
        #expect(!TextForm.past.isKept(text))
    }
}
