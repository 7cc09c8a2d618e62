/// The code as an uncompressed greyscale PNG with one bit per pixel (W3C Recommendation, 2nd edition), some kilobytes.
extension QRMatrix {
    /// Pixels per module, enough for a camera that reads a phone's screen.
    private static let scale = 8

    package var png: [UInt8] {
        let side = (size + 2 * Self.quietZone) * Self.scale
        var header: [UInt8] = []
        header.append(bigEndian: UInt32(side))
        header.append(bigEndian: UInt32(side))
        // Bit depth 1, greyscale, deflate, adaptive filters, not interlaced.
        header += [1, 0, 0, 0, 0]
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        bytes += Self.chunk("IHDR", header)
        bytes += Self.chunk("IDAT", Self.stored(pixels(side)))
        bytes += Self.chunk("IEND", [])
        return bytes
    }

    /// Rows of bits, 1 for white, each after its filter type (0 for none).
    private func pixels(_ side: Int) -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<side {
            rows.append(0)
            var row = [UInt8](repeating: 0, count: (side + 7) / 8)
            for x in 0..<side where !isDark(y / Self.scale - Self.quietZone, x / Self.scale - Self.quietZone) {
                row[x / 8] |= 0x80 >> UInt8(x % 8)
            }
            rows += row
        }
        return rows
    }

    /// A zlib stream of stored blocks (RFC 1950 §2.2, RFC 1951 §3.2.4).
    private static func stored(_ data: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        let most = 65_535
        for start in stride(from: 0, to: data.count, by: most) {
            let block = data[start..<min(start + most, data.count)]
            stream.append(start + most >= data.count ? 1 : 0)
            let length = UInt16(block.count)
            stream += [UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8)]
            stream += block
        }
        // Adler-32 (RFC 1950 §8.2).
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in data {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        stream.append(bigEndian: b << 16 | a)
        return stream
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(type.utf8) + data
        var chunk: [UInt8] = []
        chunk.append(bigEndian: UInt32(data.count))
        chunk += content
        chunk.append(bigEndian: crc(content))
        return chunk
    }

    /// CRC-32 as PNG's annex D computes it.
    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian value: UInt32) {
        append(contentsOf: [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)])
    }
}
