package import NodeCore
import NodeModel

/// The number of errors of each kind since the node started, and the time of the last. Only codes: the text of a log
/// line may contain names of devices and addresses.
package final class ErrorTally {
    private var byCode: [String: Diagnostics.ErrorCount] = [:]

    package func note(_ code: String, at wall: WallTime) {
        let time = Int(wall.milliseconds)
        guard byCode[code] != nil || byCode.count < Limits.countedCodes else { return }
        var noted = byCode[code] ?? Diagnostics.ErrorCount { ($0.code, $0.firstAt) = (code, time) }
        noted.count += 1
        noted.lastAt = time
        byCode[code] = noted
    }

    /// Latest first.
    var entries: [Diagnostics.ErrorCount] { byCode.values.sorted { ($1.lastAt, $0.code) < ($0.lastAt, $1.code) } }
}
