import NodeCore
import Testing

@testable import Commands
@testable import Node

@Suite struct FailureMeterTests {
    private func address(_ number: UInt32) -> SocketAddress { SocketAddress(ipv4: 0x7F00_0000 + number, port: 1) }

    @Test func theThirtyFirstFailureOfAMinuteIsSlowed() {
        var meter = FailureMeter()
        let start = MonotonicTime.zero + .seconds(100)
        for count in 0..<30 { #expect(meter.note(address(1).with(port: UInt16(count)), now: start) == nil) }
        #expect(meter.note(address(1), now: start + .seconds(20)) == .seconds(40))
        #expect(meter.note(address(2), now: start + .seconds(20)) == nil)
        #expect(meter.note(address(1), now: start + .seconds(60)) == nil)
    }

    @Test func manyAddressesTakeNoMoreRoom() {
        var meter = FailureMeter()
        let start = MonotonicTime.zero + .seconds(100)
        for _ in 0..<31 { _ = meter.note(address(1), now: start + .seconds(1)) }
        for number in 2..<UInt32(Limits.failingAddresses + 1) { _ = meter.note(address(number), now: start) }
        // The table is full: the address whose minute began first goes, and the slowed one stays.
        for number in 100..<UInt32(110) { #expect(meter.note(address(number), now: start) == nil) }
        #expect(meter.note(address(1), now: start + .seconds(2)) != nil)
    }
}
