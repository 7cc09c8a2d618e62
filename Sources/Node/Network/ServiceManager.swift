package import NodeCore
import Transport

/// Notifies the service manager that started the node, in the format of sd_notify(3): that it serves, that its loop
/// still runs, its status, that it reloads its settings, and that it stops.
///
/// Failures to send are ignored: a manager that has gone is no reason to stop.
package final class ServiceManager {
    private let say: (String) -> Void
    /// Interval of the watchdog; nil if it is off.
    private let beatPause: Duration?
    private var nextBeat = MonotonicTime.zero
    private var lookout = Lookout(every: Limits.serviceLookPause)
    private var hasServed = false
    private var toldStatus = ""
    private var status: () -> String = { "" }

    /// Nil if the environment names no manager's socket.
    ///
    /// - Parameter say: sends the text, by default as a datagram to the socket named in the environment.
    package init?(_ environment: Environment, pid: Int32, say: ((String) -> Void)? = nil) {
        guard let address = environment[name: "NOTIFY_SOCKET"], address.hasPrefix("/") || address.hasPrefix("@") else {
            return nil
        }
        self.say = say ?? { text in try? UnixDatagram.send(text, to: address) }
        let isMeant = environment[name: "WATCHDOG_PID"].map { $0 == String(pid) } ?? true
        let limit = environment[name: "WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        // Half of the limit, as sd_watchdog_enabled(3) advises.
        beatPause = isMeant && limit > 1 ? .microseconds(limit / 2) : nil
    }

    /// The time it needs a turn even if nothing arrives.
    package var deadline: MonotonicTime? {
        guard hasServed else { return nil }
        return [beatPause == nil ? nil : nextBeat, lookout.deadline].compactMap(\.self).min()
    }

    /// Reports that the node now serves.
    ///
    /// - Parameter status: the node's status in one line, requested now and then.
    package func serves(status: @escaping () -> String) {
        hasServed = true
        self.status = status
        toldStatus = status()
        say("READY=1\nSTATUS=" + toldStatus)
    }

    /// Call it only at the end of each turn, when its work is done: a sign of life must prove that turns finish.
    package func onTurn(now: MonotonicTime) {
        guard hasServed else { return }
        if let beatPause, now >= nextBeat {
            nextBeat = now + beatPause
            say("WATCHDOG=1")
        }
        guard lookout.isTime(now) else { return }
        let status = status()
        guard status != toldStatus else { return }
        toldStatus = status
        say("STATUS=" + status)
    }

    /// Reloads the settings in `body`.
    func reloads(_ body: () -> Void) {
        say("RELOADING=1")
        body()
        say("READY=1")
    }

    /// Reports that waiting data is being written, and that the node stops.
    package func ends() {
        say("STOPPING=1\nSTATUS=stopping")
    }
}
