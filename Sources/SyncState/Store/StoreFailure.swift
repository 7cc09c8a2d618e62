/// A failure of a store, as far as it matters to those waiting for it to pass.
package protocol StoreFailure: Error {
    /// There is no room; work resumes by itself when there is.
    var isOutOfRoom: Bool { get }
    /// It persists until somebody fixes it.
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
