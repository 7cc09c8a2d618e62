import Glibc
import NodeCore
import ProcessHarness

/// Somebody on the network who means harm and holds no key, from 64 addresses of this machine, until it is stopped or a
/// minute is over.
enum StrangersWorker {
    private static let addresses = 64
    private static let connectionsPerAddress = 4

    private static func address(_ number: Int) -> String { "127.0.0.\(2 + number % addresses)" }

    /// Opens connections, answers each challenge with random bytes, and says once a second how many were closed for it.
    ///
    /// - Parameter perSecond: the rate to keep, if the machine and the node allow it.
    static func knock(port: UInt16, perSecond: Int) throws {
        var random = SystemRandom()
        let clock = SystemClock()
        let start = clock.now()
        var (count, told) = (0, 0)
        while clock.now() - start < .seconds(60) {
            let due = start + .nanoseconds(Int64(count) * 1_000_000_000 / Int64(max(perSecond, 1)))
            let early = due - clock.now()
            if early > .zero { usleep(UInt32(early.heldNanoseconds / 1_000)) }
            let probe = try TCPProbe(port: port, from: address(count))
            if probe.receive(upTo: 32, within: .seconds(5)).count == 32 {
                probe.send(random.bytes(56))
                _ = probe.isClosed(within: .seconds(5))
            }
            count += 1
            guard clock.now() - start >= .seconds(told + 1) else { continue }
            told += 1
            Worker.say("knocks", Int64(count), Int64((clock.now() - start).heldNanoseconds))
        }
    }

    /// Holds silent and dripping connections from all addresses, and comes back whenever one is closed.
    static func crowd(port: UInt16) {
        var probes = [TCPProbe?](repeating: nil, count: addresses * connectionsPerAddress)
        let clock = SystemClock()
        let start = clock.now()
        var hasTold = false
        while clock.now() - start < .seconds(60) {
            for index in probes.indices {
                if probes[index]?.isClosed(within: .zero) ?? true {
                    probes[index] = try? TCPProbe(port: port, from: address(index))
                }
                if index % 2 == 0 { probes[index]?.send([0], within: .zero) }
            }
            if !hasTold { Worker.say("crowded") }
            hasTold = true
            usleep(10_000)
        }
    }

    /// Sends random datagrams of a beacon's length to the node's beacon port, as fast as the kernel takes them.
    static func spray(port: UInt16) throws {
        var random = SystemRandom()
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw BenchError("no socket") }
        defer { close(descriptor) }
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = port.bigEndian
        target.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let bytes = random.bytes(91)
        let clock = SystemClock()
        let start = clock.now()
        var (count, told) = (0, 0)
        while clock.now() - start < .seconds(60) {
            for _ in 0..<1_000 {
                withUnsafePointer(to: &target) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        _ = sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                    }
                }
            }
            count += 1_000
            // A steady 100,000 a second, which leaves the node its core.
            let early = start + .microseconds(Int64(count) * 10) - clock.now()
            if early > .zero { usleep(UInt32(early.heldNanoseconds / 1_000)) }
            guard clock.now() - start >= .seconds(told + 1) else { continue }
            told += 1
            Worker.say("datagrams", Int64(count), Int64((clock.now() - start).heldNanoseconds))
        }
    }
}
