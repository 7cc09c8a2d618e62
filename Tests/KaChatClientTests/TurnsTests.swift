import Testing

@testable import KaChatClient

@Suite struct TurnsTests {
    @Test func noMoreThanSoManyAreInAndACancelledOneLeavesTheLine() async throws {
        let turns = Turns(count: 2)
        try await turns.enter()
        try await turns.enter()
        let third = Task { try await turns.enter() }
        let fourth = Task { try await turns.enter() }
        third.cancel()
        let error = await #expect(throws: ClientError.self) { try await third.value }
        #expect(error?.code == .cancelled)
        turns.leave()
        try await fourth.value
        turns.leave()
        turns.leave()
        // Both turns are free again: the cancelled one took none with it.
        try await turns.enter()
        try await turns.enter()
    }
}
