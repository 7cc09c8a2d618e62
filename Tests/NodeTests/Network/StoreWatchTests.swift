import Testing

@testable import Node

@Suite struct StoreWatchTests {
    @Test func storesAreTriedAgainOnceWhenThereIsMoreRoom() {
        var watch = StoreWatch()
        let megabyte = 1 << 20
        /// The results of the watch for these free megabytes, one look after another.
        func looks(_ free: [Int?]) -> [Bool] { free.map { watch.hasMore($0.map { $0 * megabyte }) } }
        #expect(looks([3, 5, 1, 4, 5, 5]) == [false, false, false, false, true, false])
        // That was not enough, so only still more is tried.
        #expect(looks([6, 8, 9]) == [false, false, true])
        // All was well in between.
        #expect(looks([nil, 90, 90, 94]) == [false, false, false, true])
    }
}
