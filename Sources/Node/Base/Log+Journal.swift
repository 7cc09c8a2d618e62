import Glibc

extension Output {
    /// Whether standard error goes to systemd's journal, whose stream `JOURNAL_STREAM` names by device and inode
    /// (systemd.exec(5)): a program in between has streams of its own.
    package func isJournal(_ environment: Environment) -> Bool {
        guard let stream = environment[name: "JOURNAL_STREAM"], let own = identity else { return false }
        return stream == "\(own.device):\(own.inode)"
    }
}
