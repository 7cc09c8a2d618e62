/// The plaintext of a frame: messages, each preceded by its length as a varint; none spans two frames.
enum FramePlaintext {
    /// Cuts a frame's plaintext into messages.
    static func split(
        _ bytes: UnsafeRawBufferPointer, into events: inout [SessionEvent]
    ) throws(SessionFailure) {
        var position = 0
        while position < bytes.count {
            var length = 0
            var shift = 0
            var byte: UInt8
            repeat {
                // Three groups of seven bits are more than the longest message needs.
                guard position < bytes.count, shift < 21 else { throw .malformedFrame }
                byte = bytes[position]
                length |= Int(byte & 0x7F) << shift
                position += 1
                shift += 7
            } while byte & 0x80 != 0
            // Only the shortest form, and no empty messages: a frame of zeros would hold 65,519 of them.
            guard length > 0, byte != 0, length <= Limits.messageBytes, length <= bytes.count - position else {
                throw .malformedFrame
            }
            let message = UnsafeRawBufferPointer(rebasing: bytes[position..<position + length])
            position += length
            events.append(
                .message(
                    [UInt8](unsafeUninitializedCapacity: length) { copy, count in
                        UnsafeMutableRawBufferPointer(copy).copyMemory(from: message)
                        count = length
                    }))
        }
    }

    /// Size of an encoded length in bytes.
    static func varintBytes(_ value: Int) -> Int { value < 0x80 ? 1 : value < 0x4000 ? 2 : 3 }

    /// Writes a message preceded by its length and returns the offset of its end.
    static func write(_ message: [UInt8], to body: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        var position = offset
        var rest = message.count
        while rest >= 0x80 {
            body[position] = UInt8(truncatingIfNeeded: rest) | 0x80
            rest >>= 7
            position += 1
        }
        body[position] = UInt8(rest)
        position += 1
        message.withUnsafeBytes {
            UnsafeMutableRawBufferPointer(rebasing: body[position..<position + $0.count]).copyMemory(from: $0)
        }
        return position + message.count
    }
}
