import NodeCore
import SyncState
import Testing

@testable import Gossip

/// Where those are met who want into a zone.
@Suite struct NodeMachineRendezvousTests {
    /// Looks for a member, and says one word to whom it meets.
    private final class Seeker: Rendezvous {
        let handle = PlaceID(Bytes32(7, 7, 7, 7))
        let role = RendezvousRole.seeks
        let keys = PlaceKeys(
            discovery: [Secret(bytes: [UInt8](repeating: 1, count: 32))],
            session: [Secret(bytes: [UInt8](repeating: 2, count: 32))])
        let staticKey: X25519.KeyPair

        init() {
            var random: any RandomSource = SeededRandom(seed: 5)
            staticKey = X25519.KeyPair(secret: Secret(random: &random, count: X25519.secretBytes))
        }

        func opened(_ meeting: RendezvousMeeting) -> [UInt8]? { [1] }
        func received(_ message: [UInt8], in meeting: RendezvousMeeting) throws -> RendezvousAnswer { .init() }
    }

    /// In the background, and while its keys are not to be used, a node meets nobody.
    @Test func whoIsLockedOrInTheBackgroundMeetsNobody() throws {
        let machine = NodeMachine(random: SeededRandom(seed: 4), now: .zero)
        let seeker = Seeker()
        machine.add(seeker, now: .zero)
        let address = SocketAddress(ipv4: 0x7f00_0001, port: 4_000)
        let wall = WallTime(milliseconds: 0)
        func isMet(_ number: UInt64) -> Bool {
            machine.onOpened(
                SessionID(number), place: seeker.handle, isInitiator: false, handshakeHash: SyncBench.hash,
                address: address, now: .zero)
            machine.endTurn(now: .zero, wall: wall)
            let actions = machine.takeActions()
            machine.onClosed(SessionID(number), isFault: false, now: .zero)
            let isSaid = actions.contains { if case .send(_, [1], _) = $0 { true } else { false } }
            #expect(isSaid == machine.places.contains { $0.shown != nil } && isSaid == !machine.doors.isEmpty)
            return isSaid
        }
        #expect(isMet(1))
        machine.setLocked(true, now: .zero, wall: wall)
        #expect(!isMet(2))
        machine.setLocked(false, now: .zero, wall: wall)
        #expect(isMet(3))
        machine.setBackground(true, now: .zero, wall: wall)
        #expect(!isMet(4))
    }
}
