import CLinuxShim
import Glibc
import NodeCore
import ProcessHarness
import Transport

/// Somebody on the network who means harm and holds no key, from 64 addresses of this machine, until it is stopped or a
/// minute is over.
enum StrangersWorker {
    private static let addresses = 64
    private static let connectionsPerAddress = 4
    private static let connectionsAtOnce = 8

    private static func address(_ number: Int) -> String { "127.0.0.\(2 + number % addresses)" }

    /// Opens connections, some at once, answers each challenge with random bytes, and says once a second how many were
    /// closed for it.
    ///
    /// - Parameter perSecond: the rate to keep, if the machine and the node allow it.
    static func knock(port: UInt16, perSecond: Int) throws {
        var random = SystemRandom()
        var pace = Pace(perSecond, "knocks")
        while !pace.isOver {
            pace.wait()
            let probes = try (0..<connectionsAtOnce).map { try TCPProbe(port: port, from: address(pace.count + $0)) }
            for probe in probes where probe.receive(upTo: 32, within: .seconds(5)).count == 32 {
                probe.send(random.bytes(56))
            }
            for probe in probes { _ = probe.isClosed(within: .seconds(5)) }
            pace.count += connectionsAtOnce
            pace.tell()
        }
    }

    /// So many a second for a minute, if the machine allows it.
    private struct Pace {
        private let perSecond: Int
        private let word: String
        private let time = Stopwatch()
        private var told = 0
        var count = 0

        init(_ perSecond: Int, _ word: String) { (self.perSecond, self.word) = (max(perSecond, 1), word) }

        var isOver: Bool { time.elapsed >= .seconds(60) }

        func wait() {
            let early = .seconds(1) * count / perSecond - time.elapsed
            if early > .zero { usleep(UInt32(early / .microseconds(1))) }
        }

        /// Says once a second how many there were, and in which time.
        mutating func tell() {
            guard time.elapsed >= .seconds(told + 1) else { return }
            told += 1
            Worker.say(word, Int64(count), Int64(time.elapsed / .nanoseconds(1)))
        }
    }

    /// Holds silent and dripping connections from all addresses, and comes back whenever one is closed.
    static func crowd(port: UInt16) {
        var probes = [TCPProbe?](repeating: nil, count: addresses * connectionsPerAddress)
        let time = Stopwatch()
        var hasTold = false
        while time.elapsed < .seconds(60) {
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

    /// Sends datagrams to the beacons' group on loopback, from all addresses: noise, beacons of nobody's and, once it
    /// has heard one, copies of a beacon. Every node of this machine receives each.
    ///
    /// - Parameter perSecond: the rate to keep, if the machine allows it.
    static func spray(perSecond: Int) throws {
        let loop = try EventLoop()
        let loopback = try NetworkInterface.list().filter(\.isLoopback)
        guard let index = loopback.first?.index else { throw BenchError("no loopback") }
        var recorded: [UInt8]?
        // Gone once it has heard one: it would have to be served, too.
        var listener: BeaconPort? = try BeaconPort(interfaces: loopback, on: loop)
        listener?.handler = { datagram, _ in recorded = datagram.bytes }
        let sockets = try (0..<addresses).map { try Self.sender(address($0), on: index) }
        var random = SystemRandom()
        var datagrams = (0..<999).map { $0 % 2 == 0 ? random.bytes(91) : Self.nobodysBeacon(&random) }
        var pace = Pace(perSecond, "datagrams")
        while !pace.isOver {
            if listener != nil {
                try loop.turn(limit: .zero)
                if let recorded {
                    for number in stride(from: 0, to: datagrams.count, by: 3) { datagrams[number] = recorded }
                    listener = nil
                    Worker.say("recorded")
                }
            }
            for _ in 0..<perSecond / 1_000 {
                Self.send(datagrams[pace.count % datagrams.count], through: sockets[pace.count % addresses])
                pace.count += 1
            }
            pace.wait()
            pace.tell()
        }
    }

    /// A beacon as somebody without a key would make it (docs/PROTOCOL.md, section 6): only the tags are wrong, which
    /// is seen last.
    private static func nobodysBeacon(_ random: inout SystemRandom) -> [UInt8] {
        let id = random.bytes(16)
        let clear: [UInt8] = [2] + [UInt8](bigEndianBytesOf: 1, count: 8) + [0xBA, 0x97]
        let mask = Blake2b.hash16(id, domain: "kachat/bcn/mask").bytes
        return id + zip(clear, mask).map { $0 ^ $1 } + random.bytes(64)
    }

    /// A socket that sends from that address, and only through the interface.
    private static func sender(_ address: String, on interface: UInt32) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var own = sockaddr_in()
        own.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, address, &own.sin_addr)
        let isBound = withUnsafePointer(to: &own) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound, kachat_ipv4_multicast_interface(descriptor, interface) == 0 else {
            throw BenchError("no socket for \(address)")
        }
        return descriptor
    }

    private static func send(_ bytes: [UInt8], through descriptor: Int32) {
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = Transport.Limits.beaconPort.bigEndian
        target.sin_addr.s_addr = Transport.Limits.beaconGroupIPv4.bigEndian
        withUnsafePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
