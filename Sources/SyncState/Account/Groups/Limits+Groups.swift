extension Limits {
    /// Roots in one membership: with 70 bytes each they fit a record beside the rest. A group with more removals than
    /// that tells its first epoch and the newest ones.
    package static let membershipRoots = 24
    /// Changes of one membership: far more than a person joins and leaves, and no overflow when one is added.
    static let membershipRevision: UInt64 = 1 << 53
    /// A group's title in UTF-8.
    package static let membershipTitleBytes = 320
}
