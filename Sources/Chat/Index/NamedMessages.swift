import NodeCore

/// The messages that values of registers name and depend on.
struct NamedMessages {
    private var named: Set<TxID> = []
    private var came: Set<TxID> = []

    var isEmpty: Bool { named.isEmpty }
    var hasNews: Bool { !came.isEmpty }

    mutating func name(_ txid: TxID) { named.insert(txid) }

    /// Notes that a message came, moved or went.
    mutating func note(_ txid: TxID) {
        if named.contains(txid) { came.insert(txid) }
    }

    /// Takes those that came, or moved, since the last time.
    mutating func takeNews() -> Set<TxID> {
        defer { came = [] }
        return came
    }
}
