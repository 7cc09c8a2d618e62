/// A cut in the network: what these send does not reach those.
struct Partition: Hashable, Sendable {
    let number: Int
    /// By node.
    let isSender: [Bool]
    let isReceiver: [Bool]

    func cuts(from sender: Int, to receiver: Int) -> Bool {
        isSender[sender] && isReceiver[receiver]
    }
}
