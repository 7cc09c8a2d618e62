/// A failure of a store, as far as it matters to who waits for its end.
package protocol StoreFailure: Error {
    /// There is no room: it goes on by itself when there is.
    var isOutOfRoom: Bool { get }
    /// It stays until somebody sees to it.
    var isLasting: Bool { get }
}

extension DatabaseError: StoreFailure {
    package var isOutOfRoom: Bool { isDiskFull }
    package var isLasting: Bool { isCorrupt || newerSchema != nil }
}

extension StoreError: StoreFailure {
    package var isOutOfRoom: Bool { false }
    package var isLasting: Bool { true }
}
