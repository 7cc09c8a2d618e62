import Chat
import NodeCore
import ProcessHarness
import SyncState
import TestScale
import Testing
import Transport

@testable import Node

/// The node's turns, without sockets.
@Suite struct NodeNetworkTests {
    /// `device remove --since` uses this to tell what came before a theft: a node may have slept for hours before.
    @Test func whatComesInATurnIsDatedByIt() throws {
        let folder = try TemporaryFolder()
        let clock = ManualClock(now: .zero, wall: WallTime(milliseconds: 1_750_000_000_000))
        let node = try NewHome.make(
            HomeFolder(path: folder.path + "/home"), name: "laptop", nil, clock: clock, environment: Environment([:]))
        let loop = try EventLoop(clock: clock)
        let log = Log(output: Output(descriptor: 2), least: .error, clock: clock)
        let network = NodeNetwork(node: node, loop: loop, discovery: .off, log: log)
        nonisolated(unsafe) let store = node.accounts[0].zone.store
        nonisolated(unsafe) var dated: [WallTime] = []
        for _ in 0..<2 {
            clock.advance(by: .seconds(3_600))
            #expect(loop.handle.submit { dated.append(store.wall) })
            try loop.turn(limit: .zero)
            #expect(dated.last == clock.wall())
        }
        withExtendedLifetime(network) {}
    }
}
