import Foundation
import NodeCore
import Testing
import VectorPages

@testable import Transport

/// The worked example of a session in docs/PROTOCOL.md, generated from the code and compared with the page that others
/// test against. `KACHAT_WRITE_VECTORS=1` writes the page.
@Suite struct SessionVectorTests {
    private static let path = #filePath.split(separator: "/").dropLast().joined(separator: "/")

    @Test func thePageIsWhatTheCodeGives() throws {
        let now = MonotonicTime.zero
        let keys = DoorKeys(discovery: SessionPair.secret(0x33), psk: SessionPair.secret(0x44))
        var initiatorRandom = CountingRandom(from: 0)
        var responderRandom = CountingRandom(from: 64)
        let challenge = responderRandom.bytes(32)
        let initiator = SessionMachine(initiatorWith: keys, random: &initiatorRandom, now: now)
        let responder = SessionMachine(
            responderAt: Doors(keys: [keys], challenge: challenge), random: &responderRandom, now: now)
        var page = VectorPage()
        page.section("keys")
        page.add("K_disc", keys.discovery)
        page.add("psk", keys.psk)
        page.add("initiator's ephemeral secret", (0..<32).map { UInt8($0) })
        page.add("responder's ephemeral secret", (96..<128).map { UInt8($0) })
        page.section("transcript")
        var events: [SessionEvent] = []
        #expect(SessionPair.output(of: responder) == challenge)
        page.add("responder: challenge", challenge)
        events += initiator.receive(challenge, now: now)
        let opening = SessionPair.output(of: initiator)
        page.add("initiator: hint and message 1", opening)
        events += responder.receive(opening, now: now)
        let answer = SessionPair.output(of: responder)
        page.add("responder: message 2", answer)
        events += initiator.receive(answer, now: now)
        for case .established(_, let hash) in events.prefix(1) { page.add("handshake hash", hash) }
        #expect(initiator.isEstablished && responder.isEstablished)
        initiator.enqueue([18], priority: .control)
        initiator.enqueue([17, 0], priority: .control)
        responder.enqueue([UInt8](repeating: 7, count: 200), priority: .records)
        page.add("initiator: frame of the messages 12 and 1100", SessionPair.output(of: initiator))
        page.add("responder: frame of one message of 200 bytes 07", SessionPair.output(of: responder))
        let url = URL(fileURLWithPath: "/" + Self.path + "/Vectors/session.json")
        if getenv("KACHAT_WRITE_VECTORS") != nil { try Data(page.text.utf8).write(to: url) }
        let written = try String(decoding: Data(contentsOf: url), as: UTF8.self)
        #expect(written == page.text, "the protocol changed: see docs/PROTOCOL.md before writing the page anew")
    }
}
