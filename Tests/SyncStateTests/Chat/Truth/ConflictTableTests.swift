import NodeCore
import Testing

@testable import SyncState

@Suite struct ConflictTableTests {
    /// Two devices archived different bodies: all show the one of the lower hash, also under a fact; the other one is
    /// kept, and counted.
    @Test func theLowerHashIsShownAndTheOtherKept() throws {
        let cluster = try TruthCluster(3)
        let one = ChatMessage.sample(1, score: 5, body: "one")
        let two = ChatMessage.sample(1, body: "two")
        let shown = one.contentHash < two.contentHash ? one : two
        for (place, message) in [one, two].enumerated() {
            let zone = cluster.devices[place].zone
            _ = try zone.accept(message, now: .zero)
            try zone.cut(force: true, now: .zero)
            try zone.commit()
        }
        _ = try cluster.devices[2].zone.learn(
            ChainEvent(txid: one.txid, kind: .confirm, acceptingDaaScore: 9), now: .zero)
        try cluster.devices[2].zone.commit()
        try cluster.settle()
        for device in cluster.devices {
            let chat = device.zone.chat
            let found = try #require(try chat.message(one.txid))
            #expect(found.message.body == shown.body && found.message.acceptingDaaScore == 9)
            #expect(try chat.conflicts(limit: 10) == [MessageConflict(txid: one.txid, versions: 2)])
            #expect(try chat.stats().messages == 1)
        }
        #expect(Set(try cluster.bodies(of: 2)) == ["one", "two"])
    }

    @Test func equalContentsAreNone() throws {
        let cluster = try TruthCluster(2)
        for device in cluster.devices {
            _ = try device.zone.accept(.sample(1), now: .zero)
            try device.zone.cut(force: true, now: .zero)
            try device.zone.commit()
        }
        try cluster.settle()
        #expect(try cluster.devices[0].zone.chat.conflicts(limit: 10).isEmpty)
    }
}
