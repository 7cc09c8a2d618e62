import NodeCore
import Testing

@testable import CommandLine
@testable import Node

@Suite struct ProgressLineTests {
    private func text(_ done: Int, after elapsed: Duration = .seconds(20), columns: Int = 79) -> String {
        ProgressLine.text(done, of: 4_000, "1,204 lines", elapsed: elapsed, columns: columns)
    }

    @Test func itSaysHowMuchAndHowLong() {
        #expect(text(1_000) == "[#######.......................]   25 %  1,204 lines, 60 s left")
        #expect(text(4_000) == "[##############################]  100 %  1,204 lines")
        // At first, the remaining time is unknown.
        #expect(text(1_000, after: .milliseconds(500)).hasSuffix("lines"))
        #expect(text(0).hasPrefix("[.........") && !text(0).contains("left"))
    }

    @Test func itFitsItsLine() {
        for columns in 1...100 {
            for done in [0, 1, 1_999, 3_999, 4_000, 5_000] {
                #expect(Terminal.width(text(done, columns: columns)) <= columns)
            }
        }
        #expect(text(1_000, columns: 39) == " 25 %, 60 s left")
    }
}
