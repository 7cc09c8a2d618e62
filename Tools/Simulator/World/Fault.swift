/// The recurring faults.
enum Fault: Int, CaseIterable {
    case crash
    case partition
    case reset
    case move
    case clockJump
    case fullDisk
}
