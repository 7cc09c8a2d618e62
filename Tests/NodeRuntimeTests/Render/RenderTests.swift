import Testing

@testable import NodeRuntime

@Suite struct RenderTests {
    @Test(arguments: [
        (0, false, "No device of the account is in reach."), (1, false, "Asked 1 device in reach."),
        (1, true, "Caught up with 1 device in reach."), (3, true, "Caught up with 3 devices in reach."),
    ])
    func syncSaysWithWhom(peers: Int64, isCaughtUp: Bool, text: String) throws {
        let sentence = try #require(Render.sentence("sync"))
        #expect(sentence(.object(["peers": .number(peers), "caughtUp": .bool(isCaughtUp)])) == text)
    }
}
