import CLinuxShim
import Glibc
package import NodeCore

/// A TCP or unix-domain stream on an `EventLoop`. It moves bytes and decides nothing: the owner decides when to write
/// (after the turn's commit) and handles timeouts.
package final class StreamConnection {
    private enum State {
        /// connect(2) is under way. Next: open, closed.
        case connecting(EventLoop.Registration)
        /// Next: closed.
        case open(EventLoop.Registration)
        /// Final; the descriptor is closed.
        case closed
    }

    package typealias Handler = (_ event: StreamEvent, _ now: MonotonicTime) -> Void

    /// The other end; nil for unix sockets.
    package let remote: SocketAddress?
    /// Called on the loop's thread. Released when the connection closes, so it may hold its owner.
    package var handler: Handler = { _, _ in }
    /// Bytes received since the start; `sentBytes` likewise.
    package private(set) var receivedBytes: UInt64 = 0
    package private(set) var sentBytes: UInt64 = 0

    private let loop: EventLoop
    private let descriptor: Int32
    private var state: State = .closed
    private var wantsWriting = false
    private var inputHasEnded = false
    private var outputHasEnded = false

    /// Starts connecting to `address`. The handler is called with `.connected` or `.failed`; the owner closes if it
    /// takes too long.
    package convenience init(connectingTo address: SocketAddress, on loop: EventLoop) throws(SystemError) {
        let descriptor = try System.call("socket") { kachat_stream_socket(address.systemFamily) }
        let connects = { () throws(SystemError) -> Bool in
            guard descriptor < TCPListener.Kind.devices.room.firstSpared else {
                throw SystemError(code: EMFILE, call: "socket")
            }
            try Self.configureTCP(descriptor)
            return try address.withSystemAddress { pointer, length throws(SystemError) in
                try Self.startConnecting(descriptor, pointer, length)
            }
        }
        try self.init(descriptor, remote: address, isOutgoing: true, loop: loop, connects)
    }

    /// Starts connecting to the unix socket at `path`.
    package convenience init(connectingToPath path: String, on loop: EventLoop) throws(SystemError) {
        let descriptor = try System.call("socket") { kachat_stream_socket(AF_UNIX) }
        let connects = { () throws(SystemError) -> Bool in
            try UnixPath.withSystemAddress(path) { pointer, length throws(SystemError) in
                try Self.startConnecting(descriptor, pointer, length)
            }
        }
        try self.init(descriptor, remote: nil, isOutgoing: true, loop: loop, connects)
    }

    /// Takes over a socket that a listener accepted.
    convenience init(
        accepted descriptor: Int32, from remote: SocketAddress?, on loop: EventLoop, pace: EventLoop.Pace
    ) throws(SystemError) {
        try self.init(
            descriptor, remote: remote, isOutgoing: false, loop: loop, pace: pace
        ) { () throws(SystemError) -> Bool in
            if remote != nil { try Self.configureTCP(descriptor) }
            return false
        }
    }

    /// `prepare` returns whether the socket is still connecting. The descriptor is closed if anything throws.
    private init(
        _ descriptor: Int32, remote: SocketAddress?, isOutgoing: Bool, loop: EventLoop,
        pace: EventLoop.Pace = .atOnce, _ prepare: () throws(SystemError) -> Bool
    ) throws(SystemError) {
        self.descriptor = descriptor
        self.remote = remote
        self.loop = loop
        do throws(SystemError) {
            // An outgoing connection reports `.connected` from the loop even if it connected at once.
            let isConnecting = try prepare() || isOutgoing
            let registration = try loop.register(
                descriptor, interest: isConnecting ? .writable : .readable, pace: pace
            ) { [weak self] readiness, now in
                self?.isReady(readiness, now)
            }
            state = isConnecting ? .connecting(registration) : .open(registration)
        } catch {
            System.close(descriptor)
            throw error
        }
    }

    deinit {
        close()
    }

    package var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    package var isOpen: Bool {
        if case .open = state { true } else { false }
    }

    /// The round-trip time measured by the kernel; nil if it is unknown.
    package var roundTripMicroseconds: Int64? {
        guard remote != nil, isOpen else { return nil }
        let time = kachat_round_trip(descriptor)
        return time > 0 ? time : nil
    }

    /// Closes at once; bytes the kernel has accepted are still sent. The handler is not called again. Closing twice is
    /// allowed.
    package func close() {
        switch state {
        case .closed:
            return
        case .connecting(let registration), .open(let registration):
            state = .closed
            handler = { _, _ in }
            loop.deregister(registration)
            System.close(descriptor)
        }
    }

    /// Tells the peer that no more follows. It may still read what was sent, and its own bytes are still received.
    package func endOutput() {
        guard isOpen, !outputHasEnded else { return }
        outputHasEnded = true
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes at once and leaves nothing in the kernel: bytes that the peer has not received are dropped.
    package func abort() {
        if !isClosed {
            var linger = linger(l_onoff: 1, l_linger: 0)
            _ = setsockopt(
                descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        }
        close()
    }

    /// Gives up ownership of the open socket and returns it; nil if the connection is not open.
    package func release() -> Int32? {
        guard case .open(let registration) = state else { return nil }
        state = .closed
        handler = { _, _ in }
        loop.deregister(registration)
        return descriptor
    }

    /// Handles the connection at once from now on: its peer has shown that it belongs here.
    package func hurry() {
        guard case .open(let registration) = state else { return }
        do throws(SystemError) {
            try loop.hurry(registration)
        } catch {
            preconditionFailure("invariant: a registered descriptor can be moved: \(error)")
        }
    }

    /// Writes as much of the front of `output` as the socket accepts and returns the number of bytes. If some are left,
    /// the handler gets `.writable` later. If the connection breaks, it is closed and this throws.
    @discardableResult
    package func write(_ output: inout OutputBuffer) throws(SystemError) -> Int {
        guard isOpen else { return 0 }
        var written = 0
        do throws(SystemError) {
            while !output.isEmpty {
                let taken = try output.withUnsafeBytes { bytes throws(SystemError) in
                    try System.send(descriptor, bytes)
                }
                guard let taken else { break }
                output.consume(taken)
                written += taken
            }
        } catch {
            close()
            throw error
        }
        sentBytes += UInt64(written)
        wantsWriting = !output.isEmpty
        updateInterest()
        return written
    }

    private func isReady(_ readiness: Readiness, _ now: MonotonicTime) {
        if case .connecting(let registration) = state {
            finishConnecting(registration, now)
            return
        }
        if readiness.contains(.writable) {
            wantsWriting = false
            updateInterest()
            handler(.writable, now)
        }
        if readiness.contains(.readable), !inputHasEnded {
            read(now)
        } else if readiness.contains(.broken), isOpen {
            // Nobody is reading, so nobody would learn of the error; being level-triggered, it would be reported for
            // ever.
            fail(pendingError() ?? SystemError(code: ECONNRESET, call: "recv"), now)
        }
    }

    /// Reads up to this turn's share; the rest is read in the next turn.
    private func read(_ now: MonotonicTime) {
        var left = Limits.readBytesPerTurn
        let buffer = loop.readBuffer
        while left > 0, isOpen {
            let count: Int?
            do throws(SystemError) {
                count = try System.receive(descriptor, into: buffer)
            } catch {
                return fail(error, now)
            }
            guard let count else { return }
            if count == 0 {
                inputHasEnded = true
                updateInterest()
                return handler(.endOfInput, now)
            }
            left -= count
            receivedBytes += UInt64(count)
            handler(.bytes(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])), now)
            // A short read has emptied the socket, so no second call is needed.
            if count < buffer.count { return }
        }
    }

    private func finishConnecting(_ registration: EventLoop.Registration, _ now: MonotonicTime) {
        if let error = pendingError() { return fail(error, now) }
        state = .open(registration)
        updateInterest()
        handler(.connected, now)
    }

    private func fail(_ error: SystemError, _ now: MonotonicTime) {
        let handler = handler
        close()
        handler(.failed(error), now)
    }

    /// SO_ERROR: why a connection failed.
    private func pendingError() -> SystemError? {
        do throws(SystemError) {
            let code = try System.option(descriptor, level: SOL_SOCKET, name: SO_ERROR)
            return code == 0 ? nil : SystemError(code: code, call: "connect")
        } catch {
            return error
        }
    }

    private func updateInterest() {
        guard case .open(let registration) = state else { return }
        var interest: Readiness = []
        if !inputHasEnded { interest.insert(.readable) }
        if wantsWriting { interest.insert(.writable) }
        do throws(SystemError) {
            try loop.modify(registration, interest: interest)
        } catch {
            preconditionFailure("invariant: a registered descriptor can be changed: \(error)")
        }
    }

    /// Starts connecting. True while that is in progress, false if it connected at once.
    private static func startConnecting(
        _ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
    ) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try System.call("connect") { connect(descriptor, address, length) }
            return false
        } catch {
            guard error.code == EINPROGRESS else { throw error }
            return true
        }
    }

    private static func configureTCP(_ descriptor: Int32) throws(SystemError) {
        let tcp = Int32(IPPROTO_TCP)
        // The session already packs frames; Nagle's delay would only hold up the last one.
        try System.setOption(descriptor, level: tcp, name: TCP_NODELAY, to: 1)
        // Detects within a minute that a peer left the network silently, even when neither side has anything to say.
        try System.setOption(descriptor, level: SOL_SOCKET, name: SO_KEEPALIVE, to: 1)
        try System.setOption(descriptor, level: tcp, name: TCP_KEEPIDLE, to: Limits.keepAliveIdleSeconds)
        try System.setOption(descriptor, level: tcp, name: TCP_KEEPINTVL, to: Limits.keepAliveIntervalSeconds)
        try System.setOption(descriptor, level: tcp, name: TCP_KEEPCNT, to: Limits.keepAliveProbes)
        try System.setOption(
            descriptor, level: tcp, name: TCP_USER_TIMEOUT, to: Limits.unacknowledgedMilliseconds)
    }
}

/// Events of a `StreamConnection`.
package enum StreamEvent {
    /// The connection that this side opened is established. Accepted ones are from the start.
    case connected
    /// Bytes arrived; valid during the call only.
    case bytes(UnsafeRawBufferPointer)
    /// The socket accepts bytes again, after `write` had to leave some.
    case writable
    /// The peer sends no more. The owner closes, now or after writing its answer.
    case endOfInput
    /// The connection broke or could not be made. It is already closed.
    case failed(SystemError)
}
