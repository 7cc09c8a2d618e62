import Glibc
import ProcessHarness

/// The resources this process has used so far.
struct Usage {
    /// User and system time, seconds.
    let cpuSeconds: Double
    /// Peak resident memory, KiB.
    let peakKiB: Int
    let residentKiB: Int

    static var now: Usage {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return Usage(
            cpuSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime), peakKiB: status("VmHWM:", of: "self"),
            residentKiB: status("VmRSS:", of: "self"))
    }

    /// A line of a process's status; getrusage(2) would return the peak of the process that started this one.
    static func status(_ name: String, of process: String) -> Int {
        guard let bytes = FileTree.read("/proc/\(process)/status") else { return 0 }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return lines.first { $0.hasPrefix(name) }?.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0
    }
}
