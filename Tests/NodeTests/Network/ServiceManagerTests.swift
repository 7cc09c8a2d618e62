import NodeCore
import Testing

@testable import Node

/// The messages that a service manager gets, and when.
@Suite struct ServiceManagerTests {
    final class Heard {
        var lines: [String] = []
        /// The node's status when it is asked.
        var status = "here"
    }

    let heard = Heard()

    func manager(_ extra: [String: String] = ["WATCHDOG_USEC": "10000000"]) throws -> ServiceManager {
        let environment = Environment(extra.merging(["NOTIFY_SOCKET": "/run/notify"]) { first, _ in first })
        let manager = ServiceManager(environment, pid: 7) { [heard] in heard.lines.append($0) }
        return try #require(manager)
    }

    func at(_ seconds: Double) -> MonotonicTime { .zero + .seconds(seconds) }

    @Test func nobodyHearsWhereNobodyAsked() {
        for value in [nil, "", "vsock:2:1", "run/notify"] {
            let environment = Environment(value.map { ["NOTIFY_SOCKET": $0] } ?? [:])
            #expect(ServiceManager(environment, pid: 7) == nil)
        }
    }

    @Test func lifeIsShownByTurnsAtHalfTheLimit() throws {
        let manager = try manager()
        manager.onTurn(now: at(1))
        #expect(heard.lines.isEmpty && manager.deadline == nil)
        manager.serves { "here" }
        manager.onTurn(now: at(2))
        #expect(heard.lines == ["READY=1\nSTATUS=here", "WATCHDOG=1"])
        #expect(manager.deadline == at(7))
        manager.onTurn(now: at(6.9))
        #expect(heard.lines.count == 2)
        manager.onTurn(now: at(30))
        #expect(heard.lines.count == 3 && manager.deadline == at(35))
    }

    @Test(arguments: [["WATCHDOG_USEC": "0"], ["WATCHDOG_USEC": "x"], ["WATCHDOG_USEC": "9999", "WATCHDOG_PID": "8"]])
    func noSignOfLifeIsSentUnasked(_ extra: [String: String]) throws {
        let manager = try manager(extra)
        manager.serves { "here" }
        manager.onTurn(now: at(2))
        #expect(heard.lines.count == 1 && manager.deadline == nil)
    }

    @Test func theStatusIsToldWhenItIsAnother() throws {
        let manager = try manager([:])
        manager.serves { [heard] in heard.status }
        heard.status = "there"
        manager.onTurn(now: at(2))
        heard.status = "elsewhere"
        manager.onTurn(now: at(2.5))
        #expect(heard.lines.last == "STATUS=there")
        // The deferred look wakes the loop.
        #expect(manager.deadline == at(2) + Limits.serviceLookPause)
        manager.onTurn(now: at(5))
        manager.onTurn(now: at(9))
        #expect(heard.lines.count { $0.hasPrefix("STATUS=") } == 2)
        manager.reloads {}
        manager.ends()
        #expect(heard.lines.suffix(3) == ["RELOADING=1", "READY=1", "STOPPING=1\nSTATUS=stopping"])
    }
}
