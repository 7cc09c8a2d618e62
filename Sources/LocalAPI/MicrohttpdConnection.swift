import NodeCore
import NodeRuntime

/// A connection that the library serves.
final class MicrohttpdConnection {
    let number: UInt64
    let descriptor: Int32
    let source: HTTPSource
    /// When the next request has to be here; nil while one is in work.
    var deadline: MonotonicTime?
    /// The one whose line was read, until its answer is out.
    weak var request: MicrohttpdRequest?

    init(number: UInt64, descriptor: Int32, source: HTTPSource) {
        self.number = number
        self.descriptor = descriptor
        self.source = source
    }

    func isLate(_ now: MonotonicTime) -> Bool { deadline.map { $0 <= now } ?? false }
}
