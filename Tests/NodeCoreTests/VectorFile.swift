import Foundation
import NodeCore
import Testing

/// Reads the published vectors that are stored beside the tests.
enum VectorFile {
    static func data(_ path: String) throws -> Data {
        let url = try #require(Bundle.module.resourceURL).appendingPathComponent("Vectors/\(path)")
        return try Data(contentsOf: url)
    }

    static func json<Content: Decodable>(_ path: String, _ type: Content.Type = Content.self) throws -> Content {
        try JSONDecoder().decode(type, from: data(path))
    }
}

/// A Wycheproof file: groups of cases with hexadecimal fields.
struct Wycheproof<Group: Decodable>: Decodable {
    let numberOfTests: Int
    let testGroups: [Group]

    static func load(_ name: String) throws -> Wycheproof {
        try VectorFile.json("wycheproof/\(name)_test.json")
    }
}

/// The bytes of a hexadecimal text in a test.
func hex(_ text: String) throws -> [UInt8] {
    try #require(Hex.decode(text), "not hexadecimal: \(text)")
}

/// Returns the bytes it was made with, once: a published nonce.
struct FixedRandom: RandomSource {
    func split() -> any RandomSource { self }

    var rest: [UInt8]

    mutating func next() -> UInt64 {
        preconditionFailure("invariant: tests of fixed bytes take bytes only")
    }

    mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        precondition(buffer.count <= rest.count, "invariant: the test gave enough bytes")
        buffer.copyBytes(from: rest.prefix(buffer.count))
        rest.removeFirst(buffer.count)
    }
}
