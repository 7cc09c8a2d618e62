import NodeCore

/// Any item of our subset as a tree, which the tests write, read and compare.
indirect enum CBORItem: Equatable {
    case unsigned(UInt64)
    /// Below zero.
    case negative(Int64)
    case bytes([UInt8])
    case text(String)
    case array([CBORItem])
    case map([(key: UInt64, value: CBORItem)])
    case bool(Bool)
    case null

    static func == (left: CBORItem, right: CBORItem) -> Bool { left.encoded == right.encoded }

    var encoded: [UInt8] {
        var writer = CBORWriter()
        write(to: &writer)
        return writer.bytes
    }

    func write(to writer: inout CBORWriter) {
        switch self {
        case .unsigned(let value): writer.write(value)
        case .negative(let value): writer.write(value)
        case .bytes(let value): writer.write(bytes: value)
        case .text(let value): writer.write(text: value)
        case .bool(let value): writer.write(value)
        case .null: writer.writeNull()
        case .array(let items):
            writer.writeArray(items.count)
            for item in items { item.write(to: &writer) }
        case .map(let pairs):
            writer.writeMap(pairs.count)
            for (key, value) in pairs {
                writer.write(key)
                value.write(to: &writer)
            }
        }
    }

    /// Reads with the primitives only, never with `skip`.
    static func read(from reader: inout CBORReader, depth: Int = 0) throws(CBORError) -> CBORItem {
        guard reader.remaining > 0 else { throw .truncated(at: reader.position) }
        let first = reader.bytes[reader.position]
        guard depth < Limits.cborDepth || ![4, 5].contains(first >> 5) else { throw .tooDeep(at: reader.position) }
        switch first >> 5 {
        case 0: return .unsigned(try reader.readUInt())
        case 1: return .negative(try reader.readInt())
        case 2: return .bytes(try reader.readBytes(max: .max))
        case 3: return .text(try reader.readText(max: .max))
        case 4:
            var items: [CBORItem] = []
            for _ in 0..<(try reader.readArray(max: .max)) { items.append(try read(from: &reader, depth: depth + 1)) }
            return .array(items)
        case 5:
            var pairs: [(key: UInt64, value: CBORItem)] = []
            for _ in 0..<(try reader.readMap(max: .max)) {
                let key = try reader.readKey(after: pairs.last?.key)
                pairs.append((key, try read(from: &reader, depth: depth + 1)))
            }
            return .map(pairs)
        default:
            if try reader.readNullIfPresent() { return .null }
            guard first == 0xF4 || first == 0xF5 else { throw .unsupported(at: reader.position) }
            return .bool(try reader.readBool())
        }
    }

    /// The single item in `bytes`.
    static func decode(_ bytes: [UInt8]) throws(CBORError) -> CBORItem {
        var reader = CBORReader(bytes)
        let item = try read(from: &reader)
        try reader.finish()
        return item
    }

    static func random(_ random: inout SeededRandom, depth: Int = 0) -> CBORItem {
        let width = UInt64.random(in: 0..<64, using: &random)
        switch Int.random(in: 0..<(depth < 5 ? 10 : 6), using: &random) {
        case 0, 1: return .unsigned(random.next() >> width)
        case 2: return .negative(~Int64(random.next() >> max(1, width)))
        case 3: return .bytes(random.bytes(Int.random(in: 0...300, using: &random)))
        case 4: return .text(String(repeating: "é€😀a", count: Int.random(in: 0...30, using: &random)))
        case 5: return Bool.random(using: &random) ? .null : .bool(Bool.random(using: &random))
        case 6, 7:
            let count = Int.random(in: 0...6, using: &random)
            return .array((0..<count).map { _ in .random(&random, depth: depth + 1) })
        default:
            var keys: Set<UInt64> = []
            for _ in 0..<Int.random(in: 0...6, using: &random) { keys.insert(random.next() >> (width | 32)) }
            return .map(keys.sorted().map { ($0, .random(&random, depth: depth + 1)) })
        }
    }
}
