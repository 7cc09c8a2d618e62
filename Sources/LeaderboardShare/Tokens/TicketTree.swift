package import NodeCore

/// A node of the tree whose 64 leaves are an invitation's tickets. Its secret gives those of all leaves below it, and
/// nothing of the others: so tickets are passed on without the one who made them.
package struct TicketNode: Sendable {
    /// 1 for the root, 2n and 2n + 1 for the two below n; 64 to 127 for the leaves.
    package let number: UInt8
    /// 16 bytes.
    package let secret: Secret

    static let secretBytes = 16

    init(number: UInt8, secret: Secret) {
        (self.number, self.secret) = (number, secret)
    }

    /// The smallest node that covers the first `people` leaves, with a new secret.
    init(covering people: Int, random: inout any RandomSource) {
        var number = 1
        while number < 64, 64 >> (Self.depth(of: number) + 1) >= people { number *= 2 }
        self.init(number: UInt8(number), secret: Secret(random: &random, count: Self.secretBytes))
    }

    private static func depth(of number: Int) -> Int { Int.bitWidth - 1 - number.leadingZeroBitCount }

    /// The tickets below it.
    package var leaves: Range<Int> {
        let width = 64 >> Self.depth(of: Int(number))
        let first = Int(number) * width - 64
        return first..<first + width
    }

    private func child(_ side: UInt8) -> TicketNode {
        let key = secret.withUnsafeBytes { Blake2b.hash16(Array($0), [side], domain: "kachat tree") }
        return TicketNode(number: number * 2 + side, secret: Secret(bytes: key.bytes))
    }

    /// The leaf of a ticket below it.
    ///
    /// - Precondition: `leaves` contains `index`.
    func leaf(_ index: Int) -> TicketNode {
        precondition(leaves.contains(index), "invariant: the caller looks for the node above a leaf")
        var node = self
        while node.number < 64 { node = node.child(node.child(0).leaves.contains(index) ? 0 : 1) }
        return node
    }

    /// The key of a ticket below it.
    ///
    /// - Precondition: `leaves` contains `index`.
    package func key(of index: Int) -> Ed25519.KeyPair {
        let seed = leaf(index).secret.withUnsafeBytes { Blake2b.hash32(Array($0), domain: "kachat leaf") }
        return Ed25519.KeyPair(seed: Secret(bytes: seed.bytes))
    }

    /// The fewest nodes below this one that cover all of `wanted` and none of `others`.
    func cover(_ wanted: Set<Int>, without others: Set<Int>) -> [TicketNode] {
        guard leaves.contains(where: wanted.contains) else { return [] }
        if !leaves.contains(where: others.contains) { return [self] }
        return child(0).cover(wanted, without: others) + child(1).cover(wanted, without: others)
    }
}
