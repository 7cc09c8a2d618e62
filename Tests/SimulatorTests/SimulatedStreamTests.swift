import NodeCore
import Testing
import Transport

@testable import Simulator

@Suite("Simulated streams", .timeLimit(.minutes(30)))
struct SimulatedStreamTests {
    @Test("A lane gives its pieces in their order, each no sooner than the one before it")
    func lanesKeepOrder() {
        var lane = SimulatedStream.Lane()
        var given = 0
        var last = MonotonicTime.zero
        func check(_ lane: inout SimulatedStream.Lane) {
            guard let next = lane.next else { return }
            #expect(next.at >= last)
            if case .bytes(let bytes) = next.piece { #expect(bytes.first == UInt8(given % 251)) }
            given += 1
            last = next.at
            lane.removeNext()
        }
        for number in 0..<10_000 {
            let late = Duration.milliseconds(number % 7)
            _ = lane.append(
                .bytes([UInt8](repeating: UInt8(number % 251), count: 3)), now: .zero + .microseconds(number),
                transmission: .microseconds(1), delay: late)
            guard number % 3 != 0 else { continue }
            check(&lane)
        }
        while lane.next != nil { check(&lane) }
        #expect(given == 10_000)
    }

    @Test("A full socket has room again when a third of it is free, so that pieces stay long")
    func fullSockets() {
        var random = SeededRandom(seed: 1)
        let session = SessionMachine(
            initiatorWith: DoorKeys(
                discovery: Secret(bytes: [UInt8](repeating: 1, count: 32)),
                psk: Secret(bytes: [UInt8](repeating: 2, count: 32))), random: &random, now: .zero)
        let address = SocketAddress(ipv4: 1, port: 1)
        let connection = SimulatedConnection(
            id: ConnectionID(1), origin: .accepted(from: address), session: session)
        connection.noteWritten(SimulatedConnection.socketBytes)
        connection.noteTaken(1)
        #expect(connection.room == 0)
        connection.noteTaken(SimulatedConnection.socketBytes / 3)
        #expect(connection.room >= SimulatedConnection.socketBytes / 3)
        connection.noteWritten(100)
        #expect(connection.room > 0)
    }
}
