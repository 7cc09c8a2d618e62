package import NodeCore
import NodeModel

/// The number of errors of each kind since the node started, and the time of the last. Only codes: the text of a log
/// line may contain names of devices and addresses.
package final class ErrorTally {
    package struct Entry: Equatable {
        package let code: String
        package var count: Int
        let firstAt: WallTime
        var lastAt: WallTime
    }

    private var byCode: [String: Entry] = [:]

    package func note(_ code: String, at wall: WallTime) {
        if byCode[code] != nil {
            byCode[code]?.count += 1
            byCode[code]?.lastAt = wall
        } else if byCode.count < Limits.countedCodes {
            byCode[code] = Entry(code: code, count: 1, firstAt: wall, lastAt: wall)
        }
    }

    /// Latest first.
    package var entries: [Entry] { byCode.values.sorted { ($1.lastAt, $0.code) < ($0.lastAt, $1.code) } }
}

extension Diagnostics.ErrorCount {
    init(_ entry: ErrorTally.Entry) {
        self.init()
        code = entry.code
        count = entry.count
        firstAt = Int(entry.firstAt.milliseconds)
        lastAt = Int(entry.lastAt.milliseconds)
    }
}
