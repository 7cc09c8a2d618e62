import NodeCore

/// The messages between toys, each in a frame: length (4 bytes), checksum (8), payload.
enum ToyMessage {
    case hello(LaneID)
    case rows([ToyRow])
    case ping

    static func bytes(_ number: UInt64, count: Int = 8) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (count - 1 - $0))) }
    }

    var framed: [UInt8] {
        let payload: [UInt8]
        switch self {
        case .hello(let device): payload = [0] + device.bytes
        case .rows(let rows):
            payload = rows.reduce(into: [1]) { $0 += [UInt8(truncatingIfNeeded: $1.bytes.count)] + $1.bytes }
        case .ping: payload = [2]
        }
        return Self.bytes(UInt64(payload.count), count: 4) + Self.checksum(payload) + payload
    }

    static func checksum(_ payload: [UInt8]) -> [UInt8] { bytes(Blake2b.hash16(payload).w0) }

    init?(payload: [UInt8]) {
        switch payload.first {
        case 0:
            guard let device = LaneID(bytes: payload.dropFirst()) else { return nil }
            self = .hello(device)
        case 1:
            var rows: [ToyRow] = []
            var position = 1
            while position < payload.count {
                let end = position + 1 + Int(payload[position])
                guard end <= payload.count, let row = ToyRow(bytes: [UInt8](payload[(position + 1)..<end])) else {
                    return nil
                }
                rows.append(row)
                position = end
            }
            self = .rows(rows)
        case 2: self = .ping
        default: return nil
        }
    }
}

/// One stream of a toy.
struct ToySession {
    let isOutgoing: Bool
    var device: LaneID?
    var received: [UInt8] = []

    init(isOutgoing: Bool) {
        self.isOutgoing = isOutgoing
    }

    /// The next frame's message; nil inside if it is broken, nil if there is none yet.
    mutating func nextFrame() -> ToyMessage?? {
        guard received.count >= 12 else { return .none }
        let length = received[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard length < 1_000_000 else { return .some(nil) }
        guard received.count >= 12 + length else { return .none }
        let payload = [UInt8](received[12..<(12 + length)])
        let isIntact = ToyMessage.checksum(payload) == [UInt8](received[4..<12])
        received.removeFirst(12 + length)
        return .some(isIntact ? ToyMessage(payload: payload) : nil)
    }
}
