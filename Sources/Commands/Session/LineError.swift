import Node

/// Why a line of an import is not taken, as it goes on behind "line 7: ".
package struct LineError: Error {
    package let reason: String
    /// The store is to blame, not the line.
    let fault: NodeError?

    init(_ reason: String) {
        self.reason = reason
        fault = nil
    }

    init(fault: NodeError) {
        reason = fault.message
        self.fault = fault
    }
}
