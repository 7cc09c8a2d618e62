import CLinuxShim
import Glibc
import NodeCore
import ProcessHarness
import TestScale
import Testing

@testable import Transport

/// Loops run on the test's own thread; other threads act through the handle.
@Suite(.timeLimit(.minutes(30))) struct EventLoopTests {
    static let loopback = SocketAddress(ipv4: 0x7F00_0001, port: 0)

    /// Echoes incoming bytes from `onTurn`, as a node does.
    private final class Echo {
        let loop: EventLoop
        var connections: [(stream: StreamConnection, output: OutputBuffer)] = []

        init(_ loop: EventLoop) { self.loop = loop }

        func take(_ stream: StreamConnection) {
            let index = connections.count
            connections.append((stream, OutputBuffer()))
            stream.handler = { [unowned self] event, _ in
                switch event {
                case .bytes(let bytes): connections[index].output.append(Array(bytes))
                case .endOfInput: stream.close()
                default: break
                }
            }
        }

        func flush() {
            for index in connections.indices {
                let stream = connections[index].stream
                _ = try? stream.write(&connections[index].output)
            }
        }
    }

    /// Sends 8 MB through a socket to an echo on the same loop, and checks that they come back.
    private func exchange(
        _ loop: EventLoop, _ echo: Echo, _ client: StreamConnection, bytes: Int = 8_000_000
    ) throws {
        var random = SeededRandom(seed: 5)
        let payload = random.bytes(bytes)
        var output = OutputBuffer()
        var received: [UInt8] = []
        var failure: SystemError?
        client.handler = { event, _ in
            switch event {
            case .connected: output.append(payload)
            case .bytes(let bytes): received += bytes
            case .failed(let error): failure = error
            default: break
            }
        }
        loop.onTurn = { _ in
            echo.flush()
            _ = try? client.write(&output)
            if received.count == payload.count || failure != nil { loop.stop() }
        }
        try loop.run()
        #expect(failure == nil)
        #expect(received == payload)
        #expect(client.sentBytes == UInt64(bytes) && client.receivedBytes == UInt64(bytes))
        client.close()
        client.close()
    }

    @Test func echoesOverTCP() throws {
        let loop = try EventLoop()
        let echo = Echo(loop)
        let listener = try TCPListener(on: Self.loopback, loop: loop) { echo.take($0) }
        #expect(listener.address.port != 0)
        let client = try StreamConnection(connectingTo: listener.address, on: loop)
        try exchange(loop, echo, client)
        #expect(echo.connections.first?.stream.remote?.isLoopback == true)
    }

    @Test func echoesOverAUnixSocket() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("node.socket")
        let loop = try EventLoop()
        let echo = Echo(loop)
        let listener = try UnixListener(path: path, loop: loop) { echo.take($0) }
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect { try UnixListener(path: path, loop: loop) { _ in } } throws: {
            ($0 as? SystemError)?.isAddressInUse == true
        }
        let client = try StreamConnection(connectingToPath: path, on: loop)
        try exchange(loop, echo, client)
        listener.close()
        #expect(access(path, F_OK) != 0)
    }

    @Test func takesAStaleUnixSocketButNoOtherFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("node.socket")
        let loop = try EventLoop()
        // A crashed process leaves its socket behind, bound without a listener.
        let stale = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try UnixPath.withSystemAddress(path) { pointer, length throws(SystemError) in
            #expect(bind(stale, pointer, length) == 0)
        }
        close(stale)
        let listener = try UnixListener(path: path, loop: loop) { _ in }
        listener.close()
        let file = open(path, O_CREAT | O_WRONLY, 0o600)
        close(file)
        #expect(throws: SystemError.self) { try UnixListener(path: path, loop: loop) { _ in } }
        #expect(access(path, F_OK) == 0)
    }

    @Test func aRefusedConnectionFails() throws {
        let loop = try EventLoop()
        let listener = try TCPListener(on: Self.loopback, loop: loop) { _ in }
        listener.close()
        let client = try StreamConnection(connectingTo: listener.address, on: loop)
        var failure: SystemError?
        client.handler = { event, _ in
            if case .failed(let error) = event {
                failure = error
                loop.stop()
            }
        }
        try loop.run()
        #expect(failure?.code == ECONNREFUSED)
        #expect(failure?.description == "connect: Connection refused (111)")
        #expect(client.isClosed)
    }

    @Test func aPortInUseIsSaidSo() throws {
        let loop = try EventLoop()
        let listener = try TCPListener(on: Self.loopback, loop: loop) { _ in }
        #expect { try TCPListener(on: listener.address, loop: loop) { _ in } } throws: {
            ($0 as? SystemError)?.isAddressInUse == true
        }
    }

    /// The timekeeper for the handlers is told the time before they run.
    @Test func aTurnBeginsBeforeItsJobsAndEndsAfterThem() throws {
        let loop = try EventLoop()
        nonisolated(unsafe) var steps: [String] = []
        var times: [MonotonicTime] = []
        loop.onWake = { now in
            steps.append("wake")
            times.append(now)
        }
        loop.onTurn = { now in
            steps.append("turn")
            times.append(now)
        }
        _ = loop.handle.submit { steps.append("job") }
        try loop.turn(limit: .seconds(1))
        #expect(steps == ["wake", "job", "turn"] && times[0] == times[1])
    }

    @Test func wakesForItsDeadline() throws {
        let loop = try EventLoop()
        let clock = SystemClock()
        let deadline = clock.now() + .milliseconds(30)
        loop.deadline = deadline
        var woken: MonotonicTime?
        loop.onTurn = { now in
            woken = now
            loop.deadline = nil
            loop.stop()
        }
        try loop.run()
        #expect(try #require(woken) >= deadline)
    }

    @Test func otherThreadsHandItWork() throws {
        let loop = try EventLoop()
        let handle = loop.handle
        let done = Lock(0)
        let thread = Worker {
            for _ in 0..<1000 { handle.submit { done.withLock { $0 += 1 } } }
        }
        loop.onTurn = { _ in if done.withLock({ $0 == 1000 }) { loop.stop() } }
        try loop.run()
        thread.join()
        #expect(done.withLock { $0 } == 1000)
        #expect(!handle.submit {})
    }

    /// Making shared-pace sources ready again and again causes at most one turn a millisecond, besides the immediate
    /// ones; urgent sources are not delayed, and nothing is lost.
    @Test func whatManyMakeReadySharesTurns() throws {
        let clock = ManualClock()
        let loop = try EventLoop(clock: clock)
        func pipe() throws -> (own: Int32, other: Int32) {
            var ends: [Int32] = [0, 0]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            return (ends[0], ends[1])
        }
        let (shared, stranger) = try pipe()
        let (urgent, friend) = try pipe()
        defer { for descriptor in [shared, stranger, urgent, friend] { close(descriptor) } }
        var (handled, received, urgencies) = (0, 0, 0)
        func take(_ descriptor: Int32) -> Int {
            var bytes = [UInt8](repeating: 0, count: 64)
            return max(0, recv(descriptor, &bytes, bytes.count, 0))
        }
        let registration = try loop.register(shared, interest: .readable, pace: .shared) { _, _ in
            handled += 1
            received += take(shared)
        }
        _ = try loop.register(urgent, interest: .readable) { _, _ in urgencies += take(urgent) }
        for _ in 0..<100 {
            #expect(send(stranger, [1], 1, 0) == 1)
            try loop.turn(limit: .zero)
        }
        #expect(handled == Limits.sharedTurnsAtOnce)
        #expect(send(friend, [1], 1, 0) == 1)
        try loop.turn(limit: .zero)
        #expect(urgencies == 1)
        for _ in 0..<10 {
            clock.advance(by: Limits.sharedPause)
            for _ in 0..<3 {
                #expect(send(stranger, [1], 1, 0) == 1)
                try loop.turn(limit: .zero)
            }
        }
        #expect(handled == Limits.sharedTurnsAtOnce + 10)
        // The wait ends with the pause.
        clock.advance(by: Limits.sharedPause)
        try loop.turn(limit: .zero)
        #expect(received == 130)
        // A peer that belongs here no longer waits.
        try loop.hurry(registration)
        handled = 0
        for _ in 0..<100 {
            #expect(send(stranger, [1], 1, 0) == 1)
            try loop.turn(limit: .zero)
        }
        #expect(handled == 100)
    }

    /// A peer whose own bytes nobody read still gets the last words, and the kernel forgets what was aborted.
    @Test func lastWordsArriveAndWhatIsAbortedLeavesNothing() throws {
        let loop = try EventLoop()
        var accepted: [StreamConnection] = []
        var heard: [UInt8] = []
        let listener = try TCPListener(on: Self.loopback, loop: loop) { accepted.append($0) }
        let port = listener.address.port
        let probes = try (0..<2).map { _ in try TCPProbe(port: port) }
        let deadline = Deadline(after: Deadline.patience)
        while accepted.count < 2, !deadline.hasPassed { try loop.turn(limit: .milliseconds(5)) }
        for stream in accepted {
            stream.handler = { event, _ in if case .bytes(let bytes) = event { heard += Array(bytes) } }
            var output = OutputBuffer()
            output.append([1, 2, 3])
            try stream.write(&output)
        }
        for probe in probes { #expect(probe.send([7])) }
        accepted[0].endOutput()
        accepted[1].abort()
        #expect(probes[0].receive(upTo: 3) == [1, 2, 3])
        #expect(probes[0].isClosed())
        #expect(probes[1].isClosed())
        while heard.isEmpty, !deadline.hasPassed { try loop.turn(limit: .milliseconds(5)) }
        #expect(heard == [7])
        let table = String(decoding: try #require(FileTree.read("/proc/self/net/tcp")), as: UTF8.self)
        let text = "0100007F:" + String(repeating: "0", count: 4 - String(port, radix: 16).count)
        let own = text + String(port, radix: 16, uppercase: true)
        // These are the listener and the connection that waits for its peer to close.
        #expect(table.split(separator: "\n").count { $0.split(separator: " ").dropFirst().first ?? "" == own } == 2)
        accepted[0].close()
        listener.close()
    }

    @Test func aHandlerMayDropAnother() throws {
        let loop = try EventLoop()
        let (first, second) = (eventfd(1, 0), eventfd(1, 0))
        defer {
            close(first)
            close(second)
        }
        var registrations: [EventLoop.Registration] = []
        var calls = 0
        for descriptor in [first, second] {
            registrations.append(
                try loop.register(descriptor, interest: .readable) { _, _ in
                    calls += 1
                    for registration in registrations { loop.deregister(registration) }
                })
        }
        try loop.turn(limit: .zero)
        #expect(calls == 1)
        try loop.turn(limit: .zero)
        #expect(calls == 1)
    }

    /// A descriptor number is reused within a turn: the event of its earlier owner is stale.
    @Test func aStaleEventIsRecognised() throws {
        let loop = try EventLoop()
        let descriptors = [eventfd(1, 0), eventfd(1, 0)]
        var registrations: [EventLoop.Registration] = []
        var successor: Int32?
        for own in descriptors {
            registrations.append(
                try loop.register(own, interest: .readable) { _, _ in
                    guard successor == nil else { return }
                    let other = own == descriptors[0] ? 1 : 0
                    loop.deregister(registrations[other])
                    close(descriptors[other])
                    let new = eventfd(0, 0)
                    successor = new
                    _ = try? loop.register(new, interest: .readable) { _, _ in Issue.record("a stale event") }
                })
        }
        try loop.turn(limit: .zero)
        #expect(successor != nil)
    }

    @Test func signalsAreEvents() {
        let caught = Lock<[Int32]>([])
        // This thread keeps its blocked signals to itself, so others of the test run never see them.
        let thread = Worker {
            do {
                let loop = try EventLoop()
                try loop.handleSignals { signal in caught.withLock { $0.append(signal) } }
                pthread_kill(pthread_self(), SIGTERM)
                loop.onTurn = { _ in if caught.withLock({ !$0.isEmpty }) { loop.stop() } }
                try loop.run()
            } catch {
                Issue.record(error)
            }
        }
        thread.join()
        #expect(caught.withLock { $0 } == [SIGTERM])
    }
}
