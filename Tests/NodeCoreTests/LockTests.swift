import NodeCore
import Testing

@Suite struct LockTests {
    @Test(.timeLimit(.minutes(30))) func changesAreNotLost() async {
        let counter = Lock(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<10_000 { counter.withLock { $0 += 1 } } }
            }
        }
        #expect(counter.withLock { $0 } == 80_000)
    }

    @Test func errorsPassAndUnlock() {
        struct Refused: Error {}
        let lock = Lock([1])
        #expect(throws: Refused.self) { try lock.withLock { _ throws(Refused) in throw Refused() } }
        #expect(lock.withLock { $0 } == [1])
    }
}
