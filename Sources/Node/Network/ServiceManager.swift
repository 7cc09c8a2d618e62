package import NodeCore
import Transport

/// The service manager that started the node and wants to hear from it, by the lines of sd_notify(3): that it serves,
/// that its loop still turns, how it stands, that it reads its settings anew, and that it ends.
///
/// What cannot be said is not said: a manager that has gone is no reason to stop.
package final class ServiceManager {
    private let say: (String) -> Void
    /// Between two signs of life; nil where none are wanted.
    private let beatPause: Duration?
    private var nextBeat = MonotonicTime.zero
    private var nextLook = MonotonicTime.zero
    /// A turn came too soon after the last look: one more is to be taken.
    private var isLookDue = false
    private var hasServed = false
    private var toldStatus = ""

    /// Nil where the environment names no socket of a manager.
    ///
    /// - Parameter say: sends the text, by default as a datagram to the socket that the environment names.
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

    /// When it wants a turn although nothing comes in.
    package var deadline: MonotonicTime? {
        guard hasServed else { return nil }
        return [beatPause == nil ? nil : nextBeat, isLookDue ? nextLook : nil].compactMap(\.self).min()
    }

    /// From now on others are served.
    package func serves(status: String) {
        hasServed = true
        toldStatus = status
        say("READY=1\nSTATUS=" + status)
    }

    /// To be called at the end of each turn, when its work is done, and from nowhere else: a sign of life that came by
    /// itself would be none.
    ///
    /// - Parameter status: how the node stands, in one line; asked for now and then.
    package func onTurn(now: MonotonicTime, status: () -> String) {
        guard hasServed else { return }
        if let beatPause, now >= nextBeat {
            nextBeat = now + beatPause
            say("WATCHDOG=1")
        }
        isLookDue = now < nextLook
        guard !isLookDue else { return }
        nextLook = now + Limits.serviceLookPause
        let status = status()
        guard status != toldStatus else { return }
        toldStatus = status
        say("STATUS=" + status)
    }

    /// The settings are read anew by `body`.
    func reloads(_ body: () -> Void) {
        say("RELOADING=1")
        body()
        say("READY=1")
    }

    /// What waits is written, and the node ends.
    package func ends() {
        say("STOPPING=1\nSTATUS=stopping")
    }
}
