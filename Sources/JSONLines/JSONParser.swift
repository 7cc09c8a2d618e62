/// Reads JSON (RFC 8259) without Foundation: API clients need not link it, and this parser is ten times faster.
struct JSONParser {
    struct NoJSON: Error {}

    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0
    private var depth = 0

    static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> JSONValue? {
        var parser = JSONParser(bytes: bytes)
        guard let value = try? parser.value() else { return nil }
        parser.skipBlanks()
        return parser.place == bytes.count ? value : nil
    }

    /// The offset of the first byte that is wrong, or missing; nil for JSON.
    static func fault(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var parser = JSONParser(bytes: bytes)
        guard (try? parser.value()) != nil else { return min(parser.place, bytes.count) }
        parser.skipBlanks()
        return parser.place == bytes.count ? nil : parser.place
    }

    /// Passes on each member of an object, with the offsets of its name and its value. False for any other text.
    static func members(
        of bytes: UnsafeBufferPointer<UInt8>, _ hear: (String, JSONValue, Int, Int) -> Void
    ) -> Bool {
        var parser = JSONParser(bytes: bytes)
        parser.skipBlanks()
        guard parser.next == UInt8(ascii: "{"), (try? parser.members(hear)) != nil else { return false }
        parser.skipBlanks()
        return parser.place == bytes.count
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { place += 1 }
    }

    /// Takes the byte if it is the next one.
    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        place += 1
        return true
    }

    private mutating func value() throws(NoJSON) -> JSONValue {
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(NoJSON) -> JSONValue {
        for index in 0..<word.utf8CodeUnitCount {
            guard next == word.utf8Start[index] else { throw NoJSON() }
            place += 1
        }
        return value
    }

    private mutating func descend() throws(NoJSON) {
        place += 1
        depth += 1
        guard depth <= Limits.depth else { throw NoJSON() }
        skipBlanks()
    }

    private mutating func array() throws(NoJSON) -> JSONValue {
        try descend()
        defer { depth -= 1 }
        var elements: [JSONValue] = []
        if take("]") { return .array(elements) }
        repeat {
            elements.append(try value())
            skipBlanks()
        } while take(",")
        guard take("]") else { throw NoJSON() }
        return .array(elements)
    }

    private mutating func object() throws(NoJSON) -> JSONValue {
        var fields: [String: JSONValue] = [:]
        try members { name, value, _, _ in
            if fields[name] == nil { fields[name] = value }
        }
        return .object(fields)
    }

    /// Passes each member on, with the offsets of its name and its value.
    private mutating func members(_ hear: (String, JSONValue, Int, Int) -> Void) throws(NoJSON) {
        try descend()
        defer { depth -= 1 }
        if take("}") { return }
        repeat {
            skipBlanks()
            let start = place
            guard next == UInt8(ascii: "\"") else { throw NoJSON() }
            let name = try string()
            skipBlanks()
            guard take(":") else { throw NoJSON() }
            skipBlanks()
            let valueStart = place
            hear(name, try value(), start, valueStart)
            skipBlanks()
        } while take(",")
        guard take("}") else { throw NoJSON() }
    }

    // MARK: Numbers

    private mutating func number() throws(NoJSON) -> JSONValue {
        let start = place
        let isNegative = take("-")
        guard let magnitude = try digits() else { return try double(from: start) }
        if next == UInt8(ascii: ".") || next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            return try double(from: start)
        }
        if isNegative, magnitude <= 1 << 63 { return .int(Int64(truncatingIfNeeded: 0 &- magnitude)) }
        if !isNegative, let whole = Int64(exactly: magnitude) { return .int(whole) }
        return try double(from: start)
    }

    /// Reads the integer part; nil if it exceeds 64 bits. A leading zero is only allowed for zero itself.
    private mutating func digits() throws(NoJSON) -> UInt64? {
        guard let first = next, isDigit(first) else { throw NoJSON() }
        place += 1
        var sum: UInt64? = UInt64(first - UInt8(ascii: "0"))
        guard first != UInt8(ascii: "0") else { return sum }
        while let byte = next, isDigit(byte) {
            place += 1
            sum = sum.flatMap { sum in
                let (tens, tensOverflow) = sum.multipliedReportingOverflow(by: 10)
                let (all, overflow) = tens.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
                return tensOverflow || overflow ? nil : all
            }
        }
        return sum
    }

    /// Reads the fraction and the exponent. A whole number in another notation (`1.0`, `1e3`) is still a whole number.
    private mutating func double(from start: Int) throws(NoJSON) -> JSONValue {
        if take(".") { try someDigits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try someDigits()
        }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        guard let value = Double(text), value.isFinite else { throw NoJSON() }
        // Every whole number up to 2^53 has an exact double.
        if value.magnitude <= 0x1p53, let whole = Int64(exactly: value) { return .int(whole) }
        return .double(value)
    }

    private mutating func someDigits() throws(NoJSON) {
        let start = place
        while let byte = next, isDigit(byte) { place += 1 }
        guard place > start else { throw NoJSON() }
    }

    private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    // MARK: Texts

    /// Reads a string, starting at its opening quote.
    private mutating func string() throws(NoJSON) -> String {
        place += 1
        let start = place
        skipPlain()
        if next == UInt8(ascii: "\"") {
            defer { place += 1 }
            return try text(bytes[start..<place])
        }
        var buffer = Array(bytes[start..<place])
        while !take("\"") {
            guard take("\\") else { throw NoJSON() }
            try escape(into: &buffer)
            let plain = place
            skipPlain()
            buffer.append(contentsOf: bytes[plain..<place])
        }
        return try text(buffer)
    }

    private func text(_ bytes: some Collection<UInt8>) throws(NoJSON) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw NoJSON() }
        return text
    }

    /// Skips to a quote, a backslash, or a character that a string must not contain.
    private mutating func skipPlain() {
        while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { place += 1 }
    }

    private mutating func escape(into buffer: inout [UInt8]) throws(NoJSON) {
        guard let byte = next else { throw NoJSON() }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): buffer.append(byte)
        case UInt8(ascii: "b"): buffer.append(0x08)
        case UInt8(ascii: "f"): buffer.append(0x0C)
        case UInt8(ascii: "n"): buffer.append(0x0A)
        case UInt8(ascii: "r"): buffer.append(0x0D)
        case UInt8(ascii: "t"): buffer.append(0x09)
        case UInt8(ascii: "u"): buffer.append(contentsOf: Character(try scalar()).utf8)
        default: throw NoJSON()
        }
    }

    /// Reads the scalar after `\u`. If it is the first half of a surrogate pair, reads the second escape too.
    private mutating func scalar() throws(NoJSON) -> Unicode.Scalar {
        let first = try unit()
        guard UTF16.isLeadSurrogate(first) else {
            guard let scalar = Unicode.Scalar(first) else { throw NoJSON() }
            return scalar
        }
        guard take("\\"), take("u") else { throw NoJSON() }
        let second = try unit()
        guard UTF16.isTrailSurrogate(second) else { throw NoJSON() }
        let value = 0x10000 + (UInt32(first - 0xD800) << 10) + UInt32(second - 0xDC00)
        guard let scalar = Unicode.Scalar(value) else { throw NoJSON() }
        return scalar
    }

    private mutating func unit() throws(NoJSON) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw NoJSON() }
            unit = unit << 4 | UInt16(digit)
            place += 1
        }
        return unit
    }
}
