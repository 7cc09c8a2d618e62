/// A partition of the network: packets from these do not reach those.
struct Partition: Hashable, Sendable {
    let number: Int
    /// Indexed by node.
    let isSender: [Bool]
    let isReceiver: [Bool]

    func cuts(from sender: Int, to receiver: Int) -> Bool {
        isSender[sender] && isReceiver[receiver]
    }
}
