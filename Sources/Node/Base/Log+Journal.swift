import Glibc

extension Output {
    /// True if standard error goes to systemd's journal: its device and inode match `JOURNAL_STREAM` (systemd.exec(5)).
    /// With a program in between they do not.
    package func isJournal(_ environment: Environment) -> Bool {
        guard let stream = environment[name: "JOURNAL_STREAM"], let own = identity else { return false }
        return stream == "\(own.device):\(own.inode)"
    }
}
