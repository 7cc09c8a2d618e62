import Foundation
import NodeCore
import Testing
import VectorPages

@testable import Transport

/// The worked example of a session in docs/PROTOCOL.md: made anew from the code, and compared with the page that
/// others test against. `KACHAT_WRITE_VECTORS=1` writes the page.
@Suite struct SessionVectorTests {
    private static let path = #filePath.split(separator: "/").dropLast().joined(separator: "/")

    @Test func thePageIsWhatTheCodeGives() throws {
        let now = MonotonicTime.zero
        let psk = Secret(bytes: [UInt8](repeating: 0x44, count: 32))
        let (one, other) = (SessionPair.key(0x55), SessionPair.key(0x66))
        var initiatorRandom = CountingRandom(from: 0)
        var responderRandom = CountingRandom(from: 64)
        let initiator = SessionMachine(initiatorWith: psk, staticKey: one, random: &initiatorRandom, now: now)
        let responder = SessionMachine(
            responderWith: [SessionCandidate(id: 1, psk: psk, staticKey: other)], random: &responderRandom, now: now)
        var page = VectorPage()
        page.section("keys")
        page.add("psk", psk)
        page.add("initiator's static secret", [UInt8](repeating: 0x55, count: 32))
        page.add("initiator's static public key", one.publicKey.bytes)
        page.add("initiator's ephemeral secret", (0..<32).map { UInt8($0) })
        page.add("responder's static secret", [UInt8](repeating: 0x66, count: 32))
        page.add("responder's static public key", other.publicKey.bytes)
        page.add("responder's ephemeral secret", (96..<128).map { UInt8($0) })
        page.section("transcript")
        var events: [SessionEvent] = []
        for name in ["challenge", "message 1", "message 2", "message 3"] {
            let isResponder = name == "challenge" || name == "message 2"
            let bytes = drain(isResponder ? responder : initiator)
            page.add("\(isResponder ? "responder" : "initiator"): \(name)", bytes)
            events += (isResponder ? initiator : responder).receive(bytes, now: now)
        }
        for case .established(_, _, let hash) in events.prefix(1) { page.add("handshake hash", hash) }
        #expect(initiator.isEstablished && responder.isEstablished)
        initiator.enqueue([18], priority: .control)
        initiator.enqueue([17, 0], priority: .control)
        responder.enqueue([UInt8](repeating: 7, count: 200), priority: .records)
        page.add("initiator: frame of the messages 12 and 1100", drain(initiator))
        page.add("responder: frame of one message of 200 bytes 07", drain(responder))
        let url = URL(fileURLWithPath: "/" + Self.path + "/Vectors/session.json")
        if getenv("KACHAT_WRITE_VECTORS") != nil { try Data(page.text.utf8).write(to: url) }
        let written = try String(decoding: Data(contentsOf: url), as: UTF8.self)
        #expect(written == page.text, "the protocol changed: see docs/PROTOCOL.md before writing the page anew")
    }

    private func drain(_ machine: SessionMachine) -> [UInt8] {
        var output = OutputBuffer()
        machine.drain(upTo: .max, into: &output)
        return output.withUnsafeBytes { [UInt8]($0) }
    }
}
