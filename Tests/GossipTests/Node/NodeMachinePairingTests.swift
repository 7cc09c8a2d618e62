import NodeCore
import Testing

@testable import Gossip

/// A node that is not pairing gives no sign of it.
@Suite struct NodeMachinePairingTests {
    private func machine(_ seed: UInt64) -> NodeMachine {
        let machine = NodeMachine(random: SeededRandom(seed: seed), now: .zero)
        machine.onListening(port: 4_000)
        machine.onLinks([PresenceFixture.link(Int(seed))], now: .zero)
        return machine
    }

    private func pairing(_ role: PairingRole) -> Pairing {
        Pairing(role: role, subject: .account, name: "x", random: SeededRandom(seed: 9), now: .zero)
    }

    private func shown(_ machine: NodeMachine) -> [PresencePlace] { machine.places.compactMap(\.shown) }

    private let wall = WallTime(milliseconds: 1_700_000_000_000)

    @Test func onlyWhoGivesHasADoorAndOnlyWhileItPairs() {
        let machine = machine(1)
        #expect(machine.doors.isEmpty && shown(machine).isEmpty && machine.deadline == nil)
        machine.begin(pairing(.takes), now: .zero)
        #expect(machine.doors.isEmpty)
        #expect(shown(machine).count == 1)
        machine.begin(pairing(.gives), now: .zero)
        #expect(machine.doors.map(\.place) == [PairingPlace.id])
        #expect(machine.deadline != nil)
        machine.changePairing { $0.stop() }
        machine.endTurn(now: .zero, wall: wall)
        #expect(machine.doors.isEmpty && shown(machine).isEmpty && machine.deadline == nil)
        // A session that is opened now is closed without a word.
        _ = machine.takeActions()
        _ = machine.onOpened(
            SessionID(1), place: PairingPlace.id, isInitiator: false, handshakeHash: [],
            address: PresenceFixture.address(2), now: .zero)
        machine.endTurn(now: .zero, wall: wall)
        let actions = machine.takeActions()
        guard case .close? = actions.first, actions.count == 1 else {
            Issue.record("it is closed without a word: \(actions)")
            return
        }
    }

    @Test func whoTakesDialsWhoGives() {
        let (giver, taker) = (machine(1), machine(2))
        giver.begin(pairing(.gives), now: .zero)
        taker.begin(pairing(.takes), now: .zero)
        var now = MonotonicTime.zero
        var dialled: [SocketAddress] = []
        for _ in 0..<20 {
            now += .milliseconds(100)
            for (machine, other, number) in [(giver, taker, 1), (taker, giver, 2)] {
                machine.endTurn(now: now, wall: wall)
                for action in machine.takeActions() {
                    switch action {
                    case .beacon(let bytes, _):
                        other.onDatagram(bytes, from: PresenceFixture.address(number), link: 2, now: now)
                    case .dial(let door, let address):
                        #expect(door.place == PairingPlace.id && machine === taker)
                        dialled.append(address)
                    default: Issue.record("nothing else happens: \(action)")
                    }
                }
            }
        }
        #expect(dialled == [PresenceFixture.address(1, port: 4_000)])
    }

    @Test func inTheBackgroundItEnds() {
        let machine = machine(1)
        machine.begin(pairing(.gives), now: .zero)
        machine.setBackground(true, now: .zero, wall: wall)
        machine.endTurn(now: .zero, wall: wall)
        #expect(machine.pairing?.end == .stopped)
        #expect(machine.doors.isEmpty)
    }
}
