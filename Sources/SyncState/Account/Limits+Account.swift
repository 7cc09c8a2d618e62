extension Limits {
    /// Key versions above its own that a device recognises: one that slept through rotations comes back.
    static let versionsAhead: UInt64 = 16
    /// How long nothing is marked before reads are published, so that scrolling through a conversation publishes one
    /// record and not a hundred.
    package static let quietBeforePublishing: Duration = .seconds(15)
}
