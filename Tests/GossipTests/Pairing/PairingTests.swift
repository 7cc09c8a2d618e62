import NodeCore
import Testing

@testable import Gossip

@Suite struct PairingTests {
    private func pair(_ seed: UInt64, _ subject: PairingSubject = .account) -> PairingRoom {
        let room = PairingRoom(seed: seed)
        room.add(.gives, subject, name: "laptop")
        room.add(.takes, subject, name: "phone")
        return room
    }

    /// Whether anything of the account or the invitation left this device.
    private func hasGiven(_ device: PairingRoom.Device) -> Bool {
        device.said.contains { message in
            switch message {
            case .genesis, .lane, .secret: true
            default: false
            }
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func bothShowTheSameAndTheSecretMoves(seed: UInt64) {
        let room = pair(seed)
        room.run()
        #expect(room.state(0) == .over(.done))
        #expect(room.state(1) == .over(.done))
        #expect(room.devices[1].taken == PairingRoom.secret)
        #expect(room.devices[0].shown.count == 1)
        #expect(room.devices[0].shown == room.devices[1].shown)
        #expect(room.devices[1].genesis == PairingRoom.genesis)
        #expect(room.devices[0].letIn == PairingRoom.lane(of: 1))
        #expect(room.devices[0].path == PairingRoom.path)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func anInvitationMovesInOneMessage(seed: UInt64) {
        let room = pair(seed, .group)
        room.run()
        #expect(room.state(0) == .over(.done) && room.state(1) == .over(.done))
        #expect(room.devices[1].taken == PairingRoom.secret)
        #expect(room.devices[1].genesis == nil && room.devices[0].letIn == nil)
        #expect(room.devices[0].path == [])
    }

    @Test func nothingMovesBeforeBothHaveConsented() {
        for first in 0...1 {
            let room = pair(7)
            room.users = { room in
                guard case .comparing(_, let digits, isConfirmed: false) = room.state(first) else { return }
                try? room.devices[first].pairing.confirm(digits, now: room.now)
            }
            room.run()
            #expect(room.state(0) == .over(.timedOut))
            #expect(room.state(1) == .over(.timedOut))
            #expect(room.devices[1].taken == nil)
            #expect(room.devices.allSatisfy { !hasGiven($0) })
        }
    }

    @Test func aloneItEndsInTime() {
        for role in [PairingRole.gives, .takes] {
            let room = PairingRoom(seed: 1)
            room.add(role)
            room.run()
            #expect(room.state(0) == .over(.timedOut))
            #expect(room.now == MonotonicTime.zero + Limits.pairingTime)
        }
    }

    @Test func theThirdTryIsTheLastOne() {
        let room = pair(3)
        room.users = { room in
            guard case .comparing(_, let digits, _) = room.state(1) else { return }
            let wrong = PairingDigits(number: (digits.number + 1) % 1_000_000)
            #expect(throws: Pairing.Complaint.digitsDiffer) {
                try room.devices[1].pairing.confirm(wrong, now: room.now)
            }
        }
        room.run()
        #expect(room.state(1) == .over(.noTriesLeft(.wrongDigits)))
        #expect(room.state(0) == .over(.noTriesLeft(.refused(.digitsDiffer))))
        #expect(room.devices[0].shown.count == Limits.pairingTries)
        #expect(room.now < MonotonicTime.zero + Limits.pairingTime)
    }

    @Test func eachTryHasNoncesOfItsOwn() {
        let room = pair(4)
        room.users = { room in
            if case .comparing = room.state(0) { try? room.devices[0].pairing.refuse(now: room.now) }
        }
        room.run()
        let nonces = room.devices.map { device in
            device.said.compactMap { if case .nonce(let nonce) = $0 { nonce } else { nil } }
        }
        let commitments = room.devices[1].said.filter { if case .commitment = $0 { true } else { false } }
        #expect(nonces.map(\.count) == [3, 3])
        #expect(Set(nonces.joined()).count == 6)
        #expect(commitments.count == 3)
    }

    @Test func eitherUserMayEndIt() {
        for first in 0...1 {
            let room = pair(5)
            room.users = { room in
                if case .comparing = room.state(first) { room.devices[first].pairing.stop() }
            }
            room.run()
            #expect(room.state(first) == .over(.stopped))
            #expect(room.state(1 - first) == .over(.stoppedByPeer))
            #expect(room.devices[1].taken == nil)
        }
    }

    @Test func whatCannotBeKeptIsToldToWhoGave() {
        let room = pair(6)
        room.users = { room in
            room.compare()
            if case .keeping = room.devices[1].pairing.due { room.devices[1].pairing.fail() }
        }
        room.run()
        #expect(room.state(0) == .over(.notTaken))
        #expect(room.state(1) == .over(.failed))
    }

    /// Each side may fail at any step, and both learn of it.
    @Test(arguments: [0, 1], [PairingSubject.account, .group])
    func whoCannotContributeTellsTheOther(side: Int, subject: PairingSubject) {
        let room = pair(12, subject)
        room.users = { room in
            room.compare()
            if room.devices[side].pairing.due != nil { room.devices[side].pairing.fail() }
        }
        room.run()
        #expect(room.state(side) == .over(.failed))
        #expect(room.state(1 - side) == .over(.notTaken))
        #expect(room.devices[1].taken == nil)
    }

    /// Its message that the user has ended it takes nothing back.
    @Test func whatHasLeftIsNotToldAsIfItHadNot() {
        let room = pair(6)
        room.users = { room in
            room.compare()
            if case .keeping = room.devices[1].pairing.due { room.devices[1].pairing.stop() }
        }
        room.run()
        #expect(room.devices[0].said.contains(.secret(PairingRoom.secret)))
        #expect(room.state(0) == .over(.notConfirmed))
        #expect(room.state(1) == .over(.stopped))
    }

    /// A handshake costs this device as much when the peer finds all places taken.
    @Test func whoComesWhereAllPlacesAreTakenCountsToo() {
        var pairing = Pairing(role: .gives, subject: .account, name: "x", random: SeededRandom(seed: 1), now: .zero)
        for number in 1...Limits.pairingSessionsInAll {
            #expect(pairing.isOpen)
            pairing.onOpened(
                SessionID(UInt64(number)), handshakeHash: [], address: SocketAddress(ipv4: 0x0A00_0002, port: 4_000),
                isInitiator: false, now: .zero)
        }
        #expect(!pairing.isOpen)
        #expect(pairing.talks.count == Limits.pairingSessions)
    }

    // MARK: More than two

    @Test func ofSeveralDevicesTheUserChoosesOne() throws {
        let room = pair(8)
        room.add(.takes, name: "neighbour")
        room.run(for: .seconds(20)) { if case .choosing = $0.state(0) { true } else { false } }
        room.run(for: .seconds(5)) { _ in false }
        #expect(room.state(0) == .choosing)
        #expect(Set(room.devices[0].pairing.candidates.map(\.name)) == ["phone", "neighbour"])
        // The same tag is shown on both displays.
        let phone = try #require(room.devices[1].pairing.candidates.first)
        let listed = try #require(room.devices[0].pairing.candidates.first { $0.name == "phone" })
        #expect(phone.tag == listed.tag && phone.name == "laptop")
        try room.devices[0].pairing.choose(listed.tag, now: room.now)
        room.run { $0.devices[1].pairing.isOver }
        #expect(room.devices[1].taken == PairingRoom.secret)
        #expect(room.devices[2].taken == nil)
        #expect(throws: Pairing.Complaint.noSuchDevice) {
            try room.devices[0].pairing.choose("ffff", now: room.now)
        }
    }

    /// A device that is met at two addresses is one device, so nobody is asked to choose between the two.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func aDeviceWithTwoAddressesPairsWithoutAsking(seed: UInt64) {
        let room = PairingRoom(seed: seed)
        room.add(.gives, name: "laptop", addresses: 2)
        room.add(.takes, name: "phone", addresses: 2)
        room.users = { room in
            for index in room.devices.indices { #expect(room.state(index) != .choosing) }
            room.compare()
        }
        room.run()
        #expect(room.state(0) == .over(.done) && room.state(1) == .over(.done))
        #expect(room.devices[1].taken == PairingRoom.secret)
        #expect(room.devices.allSatisfy { $0.pairing.triesLeft == Limits.pairingTries })
    }

    @Test func aSecondDeviceThatComesLaterMakesTheUserChoose() {
        let room = pair(9)
        room.users = { _ in }
        // The first one is assumed to be meant, and has shown no digits yet when the second one comes.
        room.run(for: .milliseconds(900)) { _ in false }
        #expect(room.state(0) == .seeking)
        room.add(.takes, name: "neighbour")
        room.run(for: .seconds(20)) { _ in false }
        #expect(room.state(0) == .choosing)
        #expect(room.devices[0].pairing.candidates.count == 2)
        #expect(room.devices.allSatisfy { $0.shown.isEmpty })
    }

    @Test func othersPurposesAreNotMixedUp() {
        let room = PairingRoom(seed: 10)
        room.add(.gives, .account)
        room.add(.takes, .group)
        room.run()
        #expect(room.state(0) == .over(.timedOut))
        #expect(room.devices[0].pairing.candidates.isEmpty)
    }

    @Test func strangersAreHeardSoOftenAndNoMore() {
        let room = PairingRoom(seed: 11)
        room.add(.gives)
        for number in 0..<200 as Range<UInt64> {
            let id = SessionID(1_000 + number)
            let peer = PairingID(Bytes16(number, 1))
            let hello = PairingMessage.hello(role: .takes, subject: .account, id: peer, name: "x").encoded
            room.devices[0].pairing.onOpened(
                id, handshakeHash: [], address: SocketAddress(ipv4: 9, port: 9), isInitiator: false, now: room.now)
            room.devices[0].pairing.onMessage(hello, session: id, now: room.now)
            if number % 2 == 0 { room.devices[0].pairing.onClosed(id, now: room.now) }
            #expect(room.devices[0].pairing.candidates.count <= Limits.pairingSessions)
        }
        let greeted = room.devices[0].pairing.takeActions().count { if case .send = $0 { true } else { false } }
        #expect(greeted <= Limits.pairingSessionsInAll)
        #expect(!room.devices[0].pairing.isOver)
    }
}
