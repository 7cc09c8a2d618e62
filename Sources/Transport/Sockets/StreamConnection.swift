import CLinuxShim
import Glibc
package import NodeCore

/// A TCP or unix-domain stream on an `EventLoop`. It moves bytes and decides nothing: when to write is the owner's
/// business (after the turn's commit), timeouts are too.
package final class StreamConnection {
    private enum State {
        /// connect(2) is under way. Next: open, closed.
        case connecting(EventLoop.Registration)
        /// Next: closed.
        case open(EventLoop.Registration)
        /// Final; the descriptor is gone.
        case closed
    }

    package typealias Handler = (_ event: StreamEvent, _ now: MonotonicTime) -> Void

    /// The other end; nil for unix sockets.
    package let remote: SocketAddress?
    /// This side opened the connection.
    package let isOutgoing: Bool
    /// Called on the loop's thread. Dropped when the connection closes, so it may hold its owner.
    package var handler: Handler = { _, _ in }
    /// Called once, when the first byte is there, with what it is. It stays to be read, by this connection's handler or
    /// by whoever the socket is released to.
    package var onFirstByte: ((UInt8) -> Void)?
    /// Bytes read and written since the start.
    package private(set) var receivedBytes: UInt64 = 0
    package private(set) var sentBytes: UInt64 = 0

    private let loop: EventLoop
    private let descriptor: Int32
    private var state: State = .closed
    private var wantsReading = true
    private var wantsWriting = false
    private var inputHasEnded = false

    /// Starts to connect to `address`; the handler hears `.connected` or `.failed`, and the owner closes when that
    /// takes too long.
    package convenience init(connectingTo address: SocketAddress, on loop: EventLoop) throws(SystemError) {
        let descriptor = try System.call("socket") { kachat_stream_socket(address.systemFamily) }
        let connects = { () throws(SystemError) -> Bool in
            try Self.configureTCP(descriptor)
            return try address.withSystemAddress { pointer, length throws(SystemError) in
                try Self.startConnecting(descriptor, pointer, length)
            }
        }
        try self.init(descriptor, remote: address, isOutgoing: true, loop: loop, connects)
    }

    /// Starts to connect to the unix socket at `path`.
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
    convenience init(accepted descriptor: Int32, from remote: SocketAddress?, on loop: EventLoop) throws(SystemError) {
        try self.init(descriptor, remote: remote, isOutgoing: false, loop: loop) { () throws(SystemError) -> Bool in
            if remote != nil { try Self.configureTCP(descriptor) }
            return false
        }
    }

    /// `prepare` says whether the socket is still connecting. The descriptor is closed if anything throws.
    private init(
        _ descriptor: Int32, remote: SocketAddress?, isOutgoing: Bool, loop: EventLoop,
        _ prepare: () throws(SystemError) -> Bool
    ) throws(SystemError) {
        self.descriptor = descriptor
        self.remote = remote
        self.isOutgoing = isOutgoing
        self.loop = loop
        do throws(SystemError) {
            // An outgoing connection reports `.connected` from the loop even when it stood at once.
            let isConnecting = try prepare() || isOutgoing
            let registration = try loop.register(
                descriptor, interest: isConnecting ? .writable : .readable
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

    /// The own address; nil for unix sockets and closed ones.
    package var local: SocketAddress? {
        guard remote != nil, !isClosed else { return nil }
        return try? SocketAddress(boundBy: descriptor)
    }

    /// How long a packet takes there and back, as the kernel has seen; nil where it does not know.
    package var roundTripMicroseconds: Int64? {
        guard remote != nil, isOpen else { return nil }
        let time = kachat_round_trip(descriptor)
        return time > 0 ? time : nil
    }

    /// Closes at once; what the kernel has taken is still sent. The handler hears nothing more. Closing twice is
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

    /// Gives the open socket away, which this connection then knows no more; nil where it is not open.
    package func release() -> Int32? {
        guard case .open(let registration) = state else { return nil }
        state = .closed
        handler = { _, _ in }
        loop.deregister(registration)
        return descriptor
    }

    /// Back-pressure: while false, arriving bytes stay in the kernel and the peer is held up.
    package func setReading(_ reads: Bool) {
        wantsReading = reads
        updateInterest()
    }

    /// Writes what the socket takes from the front of `output` and returns how many bytes that were. If some are left,
    /// the handler hears `.writable` later. A connection that breaks is closed and throws.
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
        if readiness.contains(.readable), wantsReading, !inputHasEnded {
            read(now)
        } else if readiness.contains(.broken), isOpen {
            // Nobody reads, so nobody would learn of it; and level-triggered, it would be reported for ever.
            fail(pendingError() ?? SystemError(code: ECONNRESET, call: "recv"), now)
        }
    }

    /// Reads up to the turn's share. What is left makes the next turn.
    private func read(_ now: MonotonicTime) {
        if let onFirstByte, let byte = System.peek(descriptor) {
            self.onFirstByte = nil
            onFirstByte(byte)
        }
        var left = Limits.readBytesPerTurn
        let buffer = loop.readBuffer
        while left > 0, isOpen, wantsReading {
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
            // A short read has emptied the socket: no second call to hear that.
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

    /// SO_ERROR: why a connection could not be made or broke.
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
        if wantsReading, !inputHasEnded { interest.insert(.readable) }
        if wantsWriting { interest.insert(.writable) }
        do throws(SystemError) {
            try loop.modify(registration, interest: interest)
        } catch {
            preconditionFailure("invariant: a registered descriptor can be changed: \(error)")
        }
    }

    /// True while the connection is being made, false if it stands at once.
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
        // Frames are packed by the session already; Nagle's delay would only hold up the last one.
        try System.setOption(descriptor, level: tcp, name: TCP_NODELAY, to: 1)
        // A peer that left the network without a word is noticed within a minute, also when nobody has anything to say.
        try System.setOption(descriptor, level: SOL_SOCKET, name: SO_KEEPALIVE, to: 1)
        try System.setOption(descriptor, level: tcp, name: TCP_KEEPIDLE, to: Limits.keepAliveIdleSeconds)
        try System.setOption(descriptor, level: tcp, name: TCP_KEEPINTVL, to: Limits.keepAliveIntervalSeconds)
        try System.setOption(descriptor, level: tcp, name: TCP_KEEPCNT, to: Limits.keepAliveProbes)
        try System.setOption(
            descriptor, level: tcp, name: TCP_USER_TIMEOUT, to: Limits.unacknowledgedMilliseconds)
    }
}
