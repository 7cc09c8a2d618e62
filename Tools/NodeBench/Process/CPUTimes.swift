import Glibc
import ProcessHarness

/// The CPU time that a process has used, in seconds.
struct CPUTimes {
    /// In its own code.
    let user: Double
    /// In the kernel, on its behalf.
    let system: Double

    init(of process: Int32) {
        // Behind the name in brackets: the state, and ten numbers before utime and stime (proc(5)).
        let stat = FileTree.read("/proc/\(process)/stat").map { String(decoding: $0, as: UTF8.self) } ?? ""
        let fields = stat.split(separator: ")").last?.split(separator: " ").map { Double($0) ?? 0 } ?? []
        let perSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
        user = fields.count > 12 ? fields[11] / perSecond : 0
        system = fields.count > 12 ? fields[12] / perSecond : 0
    }
}
