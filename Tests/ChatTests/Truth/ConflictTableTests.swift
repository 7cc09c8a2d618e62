import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

@Suite struct ConflictTableTests {
    /// Two devices archived different bodies: all show the one with the lower hash, also under a fact, and the other is
    /// kept and counted.
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

    /// A device still has its body in the queue when another's segment comes: the accepted body is archived too,
    /// whichever is shown.
    @Test(arguments: [0, 1]) func anotherBodyStaysInTheQueue(first: Int) throws {
        let cluster = try TruthCluster(2)
        let versions = [ChatMessage.sample(1, body: "one"), ChatMessage.sample(1, body: "two")]
        for (device, message) in zip(cluster.devices, versions) {
            _ = try device.zone.accept(message, now: .zero)
            try device.zone.commit()
        }
        try cluster.devices[first].zone.cut(force: true, now: .zero)
        try cluster.devices[first].zone.commit()
        try cluster.settle()
        #expect(try cluster.devices[1 - first].zone.chat.stats().queued == 1)
        try cluster.devices[1 - first].zone.cut(force: true, now: .zero)
        try cluster.devices[1 - first].zone.commit()
        try cluster.settle()
        for device in cluster.devices {
            let chat = device.zone.chat
            #expect(try chat.conflicts(limit: 10) == [MessageConflict(txid: versions[0].txid, versions: 2)])
            let stats = try chat.stats()
            #expect(stats.messages == 1 && stats.queued == 0)
        }
        #expect(Set(try cluster.bodies(of: 1)) == ["one", "two"])
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
