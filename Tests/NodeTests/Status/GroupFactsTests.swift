import Gossip
import NodeCore
import NodeModel
import Testing

@testable import Node

/// A group is described in an account's words, and claims no more than is known.
@Suite struct GroupFactsTests {
    private func verdict(_ change: (inout GroupFacts) -> Void) -> Verdict {
        var facts = GroupFacts(state: .idle, connected: 1, level: 1)
        change(&facts)
        return facts.verdict
    }

    @Test func eachLackIsSaid() {
        #expect(verdict { _ in } == .upToDate)
        #expect(verdict { $0.level = 0 } == .syncing)
        #expect(verdict { $0.lacksRoot = true } == .incomplete)
        #expect(verdict { ($0.lacksRoot, $0.level) = (true, 0) } == .syncing)
        #expect(verdict { $0.hasUnheldResults = true } == .offline)
        #expect(verdict { ($0.connected, $0.level) = (0, 0) } == .upToDate)
        #expect(verdict { $0.state = nil } == .offline)
        #expect(verdict { $0.isIn = false } == .syncing)
        #expect(verdict { ($0.isIn, $0.connected, $0.level) = (false, 0, 0) } == .incomplete)
    }

    /// An obstacle of an account is also one of its groups, whatever else is true.
    @Test func anObstacleOutweighsTheRest() {
        for hasUnheldResults in [false, true] {
            let paused = ZoneState.paused(by: "laptop", since: WallTime(milliseconds: 0))
            for (state, expected) in [(paused, Verdict.paused), (.background, .paused), (.error, .error)] {
                #expect(verdict { ($0.state, $0.hasUnheldResults) = (state, hasUnheldResults) } == expected)
            }
            #expect(verdict { ($0.writing, $0.hasUnheldResults) = (.isOutOfRoom, hasUnheldResults) } == .full)
            #expect(verdict { ($0.writing, $0.isIn) = (.fails, hasUnheldResults) } == .error)
        }
    }
}
