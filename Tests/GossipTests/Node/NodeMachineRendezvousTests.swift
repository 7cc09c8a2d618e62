import Chat
import NodeCore
import SyncState
import Testing

@testable import Gossip

/// The place where devices that want to join a zone meet its members.
@Suite struct NodeMachineRendezvousTests {
    /// Says one word to each peer it meets.
    private final class Meeting: Rendezvous {
        let handle = PlaceID(Bytes32(7, 7, 7, 7))
        let role: RendezvousRole
        let keys = PlaceKeys(
            discovery: [Secret(bytes: [UInt8](repeating: 1, count: 32))],
            session: [Secret(bytes: [UInt8](repeating: 2, count: 32))])

        init(_ role: RendezvousRole) { self.role = role }

        func opened(_ meeting: RendezvousMeeting) -> [UInt8]? { [1] }
        func received(_ message: [UInt8], in meeting: RendezvousMeeting) throws -> RendezvousAnswer { .init() }
    }

    private let wall = WallTime(milliseconds: 0)

    /// A node meets nobody while it is in the background or its keys are not to be used.
    @Test(arguments: [RendezvousRole.seeks, .answers])
    func whoIsLockedOrInTheBackgroundMeetsNobody(role: RendezvousRole) throws {
        let machine = NodeMachine(random: SeededRandom(seed: 4), now: .zero)
        let meeting = Meeting(role)
        machine.add(meeting, now: .zero)
        let address = SocketAddress(ipv4: 0x7f00_0001, port: 4_000)
        func isMet(_ number: UInt64) -> Bool {
            _ = machine.onOpened(
                SessionID(number), place: meeting.handle, isInitiator: role == .seeks, handshakeHash: SyncBench.hash,
                address: address, now: .zero)
            machine.endTurn(now: .zero, wall: wall)
            let actions = machine.takeActions()
            machine.onClosed(SessionID(number), isFault: false, now: .zero)
            let isSaid = actions.contains { if case .send(_, [1], _) = $0 { true } else { false } }
            #expect(isSaid == machine.places.contains { $0.shown != nil })
            // Only peers that answer are dialled.
            #expect(machine.doors.isEmpty == (role == .seeks || !isSaid))
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

    /// A member echoes a seeker's tag, which only holders of the invitation's keys can recognise.
    @Test func theSeekerDialsTheMemberThatEchoesItAndTheMemberNobody() throws {
        let seeker = NodeMachine(random: SeededRandom(seed: 1), now: .zero)
        seeker.add(Meeting(.seeks), now: .zero)
        let member = NodeMachine(random: SeededRandom(seed: 2), now: .zero)
        member.add(try SyncBench(1).zone, now: .zero)
        member.add(Meeting(.answers), now: .zero)
        let stranger = NodeMachine(random: SeededRandom(seed: 3), now: .zero)
        let foreign = AccountSigner(seed: Secret(bytes: [UInt8](repeating: 8, count: 64)))
        stranger.add(try SyncBench(2, account: foreign).zone, now: .zero)
        let machines = [seeker, member, stranger]
        for (index, machine) in machines.enumerated() {
            machine.onListening(port: 4_000)
            machine.onLinks([PresenceFixture.link(index)], now: .zero)
        }
        var dialled: [SocketAddress] = []
        var now = MonotonicTime.zero
        for _ in 0..<40 {
            now += .milliseconds(100)
            for (index, machine) in machines.enumerated() {
                machine.endTurn(now: now, wall: wall)
                for action in machine.takeActions() {
                    switch action {
                    case .beacon(let bytes, _):
                        for other in machines where other !== machine {
                            other.onDatagram(bytes, from: PresenceFixture.address(index), link: 2, now: now)
                        }
                    case .dial(let door, let address):
                        #expect(machine === seeker && door.place == Meeting(.seeks).handle)
                        dialled.append(address)
                    default: break
                    }
                }
            }
        }
        #expect(dialled == [PresenceFixture.address(1, port: 4_000)])
    }
}
