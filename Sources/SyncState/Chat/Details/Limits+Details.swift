package import NodeCore

// All details of a conversation share a record of 4 KiB, with half of it to spare for the largest field.
extension Limits {
    /// Highest revision: what every JSON reader keeps exactly, and far from where adding to it overflows.
    package static let revision: UInt64 = (1 << 53) - 1
    /// Plausible times of a correction, 2020 to 2100: a clock beyond them wins over no other for ever.
    package static let revisionTimes =
        WallTime(milliseconds: 1_577_836_800_000)...WallTime(milliseconds: 4_102_444_800_000)
    /// UTF-8 bytes of a conversation's title.
    package static let titleBytes = 256
    /// Participants of a conversation.
    package static let participants = 32
    /// UTF-8 bytes of a participant's address, and of the name.
    package static let participantBytes = 128
    /// UTF-8 bytes of the addresses and names of all participants.
    package static let participantsBytes = 1_536
    /// Bytes of an app's place in the chain.
    package static let chainCheckpointBytes = 512
}
