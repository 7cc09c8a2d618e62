import NodeCore

extension World {
    // MARK: Opening

    func connect(_ connection: ConnectionID, of index: Int, to address: SocketAddress) {
        let number = nextStream
        nextStream += 1
        let end = SimulatedStream.End(node: index, life: hosts[index].life, connection: connection)
        streams[number] = SimulatedStream(caller: end, address: address)
        hosts[index].connections[connection] = number
        plan(.connect(stream: number), after: delay())
    }

    func onConnect(_ number: Int) {
        guard let stream = streams[number], stream.state == .connecting else { return }
        let caller = stream.ends[0].node
        let target = hosts.firstIndex { $0.address == stream.address }
        guard let target, !isCut(from: caller, to: target), !isCut(from: target, to: caller) else {
            // Nobody is there, or a direction is cut: silence, until the caller gives up.
            plan(.connected(stream: number, accepted: false), after: Limits.connectTimeout)
            return
        }
        guard hosts[target].node != nil, hosts[caller].life == stream.ends[0].life else {
            plan(.connected(stream: number, accepted: false), after: delay())
            return
        }
        hosts[target].acceptedConnections += 1
        let connection = ConnectionID(hosts[target].acceptedConnections * 2 + 1)
        stream.ends.append(SimulatedStream.End(node: target, life: hosts[target].life, connection: connection))
        stream.state = .open
        hosts[target].connections[connection] = number
        tallies.streams += 1
        plan(.connected(stream: number, accepted: true), after: delay())
        let source = hosts[caller].address.with(port: UInt16(30_000 + number % 30_000))
        turn(target, "accepted") { node, turn in try node.onAccepted(connection, from: source, turn) }
    }

    func onConnected(_ number: Int, accepted: Bool) {
        guard let stream = streams[number] else { return }
        guard accepted else {
            inform(stream.ends[0], number)
            forget(number)
            return
        }
        guard isConnected(stream.ends[0], number) else { return }
        turn(stream.ends[0].node, "opened") { node, turn in try node.onOpened(stream.ends[0].connection, turn) }
    }

    // MARK: Bytes

    func send(_ bytes: [UInt8], _ connection: ConnectionID, of index: Int) {
        guard let number = hosts[index].connections[connection], let sender = endIndex(number, index, connection),
            !bytes.isEmpty
        else { return }
        // Occasionally a write arrives in two reads.
        guard bytes.count > 1, Int.random(in: 0..<4, using: &random) == 0 else {
            return put(.bytes(bytes), size: bytes.count, number, sender: sender)
        }
        let cut = Int.random(in: 1..<bytes.count, using: &random)
        put(.bytes([UInt8](bytes[..<cut])), size: cut, number, sender: sender)
        put(.bytes([UInt8](bytes[cut...])), size: bytes.count - cut, number, sender: sender)
    }

    func close(_ connection: ConnectionID, of index: Int) {
        guard let number = hosts[index].connections[connection], let sender = endIndex(number, index, connection) else {
            return
        }
        hosts[index].connections[connection] = nil
        if streams[number]?.state == .connecting {
            forget(number)
        } else {
            put(.end, size: 0, number, sender: sender)
        }
    }

    private func put(_ piece: SimulatedStream.Piece, size: Int, _ number: Int, sender: Int) {
        guard let stream = streams[number], stream.state != .closed else { return }
        let transmission = Duration.nanoseconds(Int64(size) * 1_000_000_000 / Int64(profile.bytesPerSecond))
        let arrival = stream.lanes[sender].append(piece, now: now, transmission: transmission, delay: delay())
        tallies.streamBytes += size
        queue.add(.pump(stream: number, sender: sender), at: arrival)
    }

    func onPump(_ number: Int, sender: Int) {
        guard let stream = streams[number], stream.state == .open, let first = stream.lanes[sender].next,
            first.at <= now
        else { return }
        let receiver = stream.ends[1 - sender]
        if stream.isSilent[1 - sender], hosts[receiver.node].node != nil {
            // The machine has restarted and does not know the stream.
            breakStream(number, "reset")
            return
        }
        if isHeldUp(stream) || stream.isSilent[1 - sender] {
            let since = stream.lanes[sender].stalledSince ?? now
            stream.lanes[sender].stalledSince = since
            if now - since >= Limits.streamStall {
                breakStream(number, "stalled")
            } else {
                plan(.pump(stream: number, sender: sender), after: Limits.streamRetry)
            }
            return
        }
        stream.lanes[sender].stalledSince = nil
        stream.lanes[sender].removeNext()
        // Pieces that arrived while the line was held up have no event of their own left.
        if let next = stream.lanes[sender].next, next.at <= now {
            plan(.pump(stream: number, sender: sender), after: .zero)
        }
        guard isConnected(receiver, number) else { return }
        switch first.piece {
        case .bytes(var bytes):
            if happens(profile.streamCorruption) {
                tallies.corruptions += 1
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
            trace.mix(bytes)
            plan(.taken(stream: number, end: sender, count: bytes.count), after: delay())
            turn(receiver.node, "bytes") { node, turn in try node.onBytes(receiver.connection, bytes, turn) }
        case .end:
            inform(receiver, number)
            forget(number)
        }
    }

    func onTaken(_ number: Int, end: Int, count: Int) {
        guard let stream = streams[number], isConnected(stream.ends[end], number) else { return }
        turn(stream.ends[end].node, "taken") { node, turn in
            try node.onTaken(stream.ends[end].connection, count: count, turn)
        }
    }

    // MARK: Ending

    func onClosed(_ number: Int, end: Int) {
        guard let stream = streams[number], end < stream.ends.count else { return }
        inform(stream.ends[end], number)
        if end == stream.ends.count - 1 { forget(number) }
    }

    /// Both ends learn, each in its own time, that the stream is broken.
    func breakStream(_ number: Int, _ why: String) {
        guard let stream = streams[number], stream.state != .closed else { return }
        tallies.brokenStreams += 1
        trace.mix(why)
        stream.state = .closed
        stream.lanes = [SimulatedStream.Lane(), SimulatedStream.Lane()]
        // The first end is told first, so that the second can forget the stream.
        let first = delay()
        plan(.closed(stream: number, end: 0), after: first)
        if stream.ends.count > 1 { plan(.closed(stream: number, end: 1), after: first + delay()) }
    }

    /// A node has died. Its machine tells the other ends, or, if silent, does not.
    func abandon(_ number: Int, node: Int, isSilent: Bool) {
        guard let stream = streams[number], let end = stream.ends.firstIndex(where: { $0.node == node }) else { return }
        if stream.state == .connecting {
            forget(number)
        } else if isSilent {
            stream.isSilent[end] = true
        } else {
            breakStream(number, "gone")
        }
    }

    private func forget(_ number: Int) {
        streams[number] = nil
    }

    /// An end that has closed by itself is told nothing.
    private func inform(_ end: SimulatedStream.End, _ number: Int) {
        guard isConnected(end, number) else { return }
        hosts[end.node].connections[end.connection] = nil
        turn(end.node, "closed") { node, turn in try node.onClosed(end.connection, turn) }
    }

    // MARK: Parts

    private func isAlive(_ end: SimulatedStream.End) -> Bool {
        hosts[end.node].life == end.life && hosts[end.node].node != nil
    }

    private func isConnected(_ end: SimulatedStream.End, _ number: Int) -> Bool {
        isAlive(end) && hosts[end.node].connections[end.connection] == number
    }

    /// A partition in one direction stops both: no acknowledgement comes back. A machine that moved is no longer at the
    /// old address.
    private func isHeldUp(_ stream: SimulatedStream) -> Bool {
        let (one, other) = (stream.ends[0].node, stream.ends[1].node)
        return isCut(from: one, to: other) || isCut(from: other, to: one)
            || hosts[other].address != stream.address
    }

    private func endIndex(_ number: Int, _ node: Int, _ connection: ConnectionID) -> Int? {
        streams[number]?.ends.firstIndex { $0.node == node && $0.connection == connection }
    }
}
