import Gossip
import NodeCore
import Testing
import Transport

@testable import Node

@Suite struct KeyBudgetTests {
    /// As a node of so many accounts has them: the present key of each first.
    private func doors(_ accounts: Int) -> [SessionDoor] {
        let staticKey = X25519.KeyPair(secret: Secret(bytes: [UInt8](repeating: 1, count: 32)))
        return (0..<17).flatMap { version in
            (0..<accounts).map { account in
                SessionDoor(
                    place: PlaceID(Bytes32(UInt64(account), 0, 0, 0)),
                    psk: Secret(bytes: [UInt8(version), UInt8(account)]),
                    staticKey: staticKey, isCurrent: version == 0)
            }
        }
    }

    @Test func manyStrangersMeetThePresentKeysOnly() {
        let doors = doors(64)
        var now = MonotonicTime.zero
        var budget = KeyBudget(now: now)
        var ample = 0
        while budget.candidates(doors, now: now).cost > 0 { ample += 1 }
        #expect(ample == Limits.triedKeys / 1_088)
        let few = budget.candidates(doors, now: now)
        #expect(few.list.map(\.id) == Array(0..<64))
        #expect(few.list.allSatisfy { !$0.isCurrent })
        now = now + .seconds(1)
        #expect(budget.candidates(doors, now: now).list.count == 1_088)
    }

    @Test func whoBelongsHereCostsNothing() {
        let doors = doors(64)
        var budget = KeyBudget(now: .zero)
        for _ in 0..<1_000 {
            let (list, cost) = budget.candidates(doors, now: .zero)
            #expect(list.count == 1_088)
            #expect(list.count(where: \.isCurrent) == 64)
            budget.giveBack(cost)
        }
    }
}
