/// What goes wrong by itself, again and again.
enum Fault: Int, CaseIterable {
    case crash
    case partition
    case reset
    case move
    case clockJump
    case fullDisk
}
