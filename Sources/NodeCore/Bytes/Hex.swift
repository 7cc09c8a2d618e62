/// Hexadecimal text, lowercase when written, either case when read.
package enum Hex {
    /// Two lowercase digits a byte.
    package static func encode(_ bytes: UnsafeRawBufferPointer) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            for (index, byte) in bytes.enumerated() {
                text[2 * index] = digit(byte >> 4)
                text[2 * index + 1] = digit(byte & 15)
            }
            return 2 * bytes.count
        }
    }

    package static func encode(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBytes { encode($0) }
    }

    /// The bytes written in `text`; nil for an odd number of characters or one that is no hexadecimal digit.
    package static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)[...]) }

    /// From digits in UTF-8. Not generic, since it reads the name of each segment.
    ///
    /// - Parameter isLowercase: true refuses uppercase digits.
    package static func decode(_ digits: ArraySlice<UInt8>, isLowercase: Bool = false) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for character in digits {
            guard let value = value(character, isLowercase) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static func value(_ character: UInt8, _ isLowercase: Bool) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F") where !isLowercase: character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
