import Testing

@testable import Commands

@Suite struct SyncWaitTests {
    /// Earlier knowledge may be outdated, so until somebody answers, it says only that it is asking.
    @Test func saysNoMoreThanItKnows() {
        #expect(SyncOperation.waitsFor(0, headline: "up to date") == "waiting for a device in reach")
        #expect(SyncOperation.waitsFor(1, headline: nil) == "asking 1 device what is new")
        #expect(SyncOperation.waitsFor(2, headline: "syncing: 3 to go") == "syncing: 3 to go")
    }
}
