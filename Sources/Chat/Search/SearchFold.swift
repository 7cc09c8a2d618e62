/// Normalises text for searching, in UTF-8: without case, and without diacritics.
///
/// Case by Unicode's simple mappings (upper, then lower, so that final sigma is a sigma and a dotless i an i). Latin,
/// Greek and Cyrillic letters that Unicode names "… WITH …" lose what follows WITH, as do the Cyrillic ones with names
/// of their own (`ё`, `й`); combining marks, variation selectors and soft hyphens are dropped: "Ångström" becomes
/// "angstrom", however it was typed. Letters in their own right stay (`ß`, `æ`). Tabs and line ends become blanks. The
/// same on every device and in every language.
enum SearchFold {
    /// The folded scalar for each below 0x2000; 0 if it is dropped.
    private static let table: [UInt16] = makeTable()

    /// Folds UTF-8 into the beginning of `output`, which grows if it must; returns the length. Invalid UTF-8 is taken
    /// byte by byte.
    static func fold(_ text: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Int {
        // A letter grows by half at most: two bytes become three.
        let room = text.count + text.count / 2 + 4
        if output.count < room { output = [UInt8](repeating: 0, count: 2 * room) }
        return output.withUnsafeMutableBytes { fold(text, at: $0.baseAddress) }
    }

    /// Folds into memory that must have room for half as much more and 4 bytes; returns the length.
    private static func fold(_ text: UnsafeRawBufferPointer, at output: UnsafeMutableRawPointer?) -> Int {
        guard let source = text.baseAddress, let output else { return 0 }
        var high: UInt8 = 0
        // Without branches, so that sixteen or more bytes are folded at a time.
        for place in 0..<text.count {
            let byte = source.load(fromByteOffset: place, as: UInt8.self)
            high |= byte
            output.storeBytes(of: folded(byte), toByteOffset: place, as: UInt8.self)
        }
        return high < 0x80 ? text.count : foldScalars(source, text.count, output)
    }

    @inline(__always)
    private static func folded(_ byte: UInt8) -> UInt8 {
        let isUpper = byte &- 0x41 < 26
        let isBlank = byte &- 0x09 < 5
        return isBlank ? 0x20 : isUpper ? byte | 0x20 : byte
    }

    private static func foldScalars(_ source: UnsafeRawPointer, _ end: Int, _ output: UnsafeMutableRawPointer) -> Int {
        var (place, written) = (0, 0)
        table.withUnsafeBufferPointer { table in
            while place < end {
                let first = source.load(fromByteOffset: place, as: UInt8.self)
                if first < 0x80 {
                    output.storeBytes(of: folded(first), toByteOffset: written, as: UInt8.self)
                    place += 1
                    written += 1
                    continue
                }
                let (scalar, size) = decode(source + place, end - place)
                let target = scalar < 0x2000 ? UInt32(table[Int(scalar)]) : foldFar(scalar)
                if size == 1 || target == scalar {
                    for _ in 0..<size {
                        output.storeBytes(
                            of: source.load(fromByteOffset: place, as: UInt8.self), toByteOffset: written,
                            as: UInt8.self)
                        place += 1
                        written += 1
                    }
                } else {
                    place += size
                    written += encode(target, at: output + written)
                }
            }
        }
        return written
    }

    /// The scalar at this place and its length; a byte that starts none has length 1.
    private static func decode(_ source: UnsafeRawPointer, _ left: Int) -> (scalar: UInt32, size: Int) {
        let first = source.load(as: UInt8.self)
        let size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1
        guard size > 1, size <= left else { return (0xFFFD, 1) }
        var scalar = UInt32(first) & (0x7F >> UInt32(size))
        for place in 1..<size {
            let byte = source.load(fromByteOffset: place, as: UInt8.self)
            guard byte & 0xC0 == 0x80 else { return (0xFFFD, 1) }
            scalar = scalar << 6 | UInt32(byte & 0x3F)
        }
        return (scalar, size)
    }

    /// Writes a folded scalar; nothing for 0.
    private static func encode(_ scalar: UInt32, at output: UnsafeMutableRawPointer) -> Int {
        func put(_ place: Int, _ byte: UInt32) {
            output.storeBytes(of: UInt8(truncatingIfNeeded: byte), toByteOffset: place, as: UInt8.self)
        }
        switch scalar {
        case 0: return 0
        case 0..<0x80:
            put(0, scalar)
            return 1
        case 0..<0x800:
            put(0, 0xC0 | scalar >> 6)
            put(1, 0x80 | scalar & 0x3F)
            return 2
        case 0..<0x10000:
            put(0, 0xE0 | scalar >> 12)
            put(1, 0x80 | scalar >> 6 & 0x3F)
            put(2, 0x80 | scalar & 0x3F)
            return 3
        default:
            put(0, 0xF0 | scalar >> 18)
            put(1, 0x80 | scalar >> 12 & 0x3F)
            put(2, 0x80 | scalar >> 6 & 0x3F)
            put(3, 0x80 | scalar & 0x3F)
            return 4
        }
    }
}

// MARK: - Folding a scalar

extension SearchFold {
    private static func makeTable() -> [UInt16] {
        var bases: [String: UInt32] = [:]
        for range in [0x41...0x7A, 0x391...0x3C9, 0x410...0x44F] as [ClosedRange<UInt32>] {
            for scalar in range {
                if let name = Unicode.Scalar(scalar)?.properties.name { bases[name] = scalar }
            }
        }
        return (0..<0x2000 as Range<UInt32>).map { number in
            guard !isMark(number) else { return 0 }
            let isNamed = (0xC0..<0x250).contains(number) || (0x370..<0x530).contains(number) || number >= 0x1E00
            return UInt16(truncatingIfNeeded: fold(isNamed ? base(of: number, bases) : number))
        }
    }

    /// Letters that Unicode decomposes although their names do not say so: ё, ѓ, ї, ќ, ў, й.
    private static let cyrillic: [UInt32: UInt32] = [
        0x401: 0x435, 0x451: 0x435, 0x403: 0x433, 0x453: 0x433, 0x407: 0x456, 0x457: 0x456, 0x40C: 0x43A, 0x45C: 0x43A,
        0x40E: 0x443, 0x45E: 0x443, 0x419: 0x438, 0x439: 0x438,
    ]

    /// The letter without the part of its name after WITH.
    private static func base(of scalar: UInt32, _ bases: [String: UInt32]) -> UInt32 {
        if let base = cyrillic[scalar] { return base }
        guard let name = Unicode.Scalar(scalar)?.properties.name, let end = name.firstRange(of: " WITH ") else {
            return scalar
        }
        return bases[String(name[..<end.lowerBound])] ?? scalar
    }

    /// Removes case, if the mappings are single scalars.
    private static func fold(_ number: UInt32) -> UInt32 {
        guard let scalar = Unicode.Scalar(number) else { return number }
        return lower(upper(scalar)).value
    }

    private static func upper(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        single(scalar.properties.uppercaseMapping) ?? scalar
    }

    private static func lower(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        single(scalar.properties.lowercaseMapping) ?? scalar
    }

    private static func single(_ text: String) -> Unicode.Scalar? {
        text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
    }

    /// Combining marks, variation selectors, the soft hyphen.
    private static func isMark(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0xAD, 0x300...0x36F, 0x483...0x489, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE00...0xFE0F,
            0xFE20...0xFE2F:
            true
        default: false
        }
    }

    /// Scalars beyond the table: most scripts there have no case, and only those that do are looked up.
    private static func foldFar(_ scalar: UInt32) -> UInt32 {
        switch scalar {
        case 0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F: 0
        case 0x2100...0x218F, 0x24B6...0x24E9, 0x2C00...0x2DFF, 0xA640...0xA7FF, 0xAB30...0xABBF, 0xFF21...0xFF5A,
            0x10400...0x105FF, 0x10C80...0x10CFF, 0x118A0...0x118DF, 0x16E40...0x16E7F, 0x1E900...0x1E943:
            fold(scalar)
        default: scalar
        }
    }
}
