extension Limits {
    /// Key versions above its own that a device recognises: one that slept through rotations comes back.
    static let versionsAhead: UInt64 = 16
    /// How long nothing is marked before reads are published, so that scrolling through a conversation publishes one
    /// record and not a hundred.
    package static let quietBeforePublishing: Duration = .seconds(15)
}

// MARK: - The account's state

extension Limits {
    /// The layout of chat records that this program writes.
    package static let schemaVersion: UInt64 = 1
    /// Highest version of keys: a rotation a day for a thousand years, and far from where adding to it overflows.
    package static let syncKeyVersion: UInt64 = 1 << 20
    /// Who paused an account, in UTF-8.
    package static let pausedByBytes = 64
}

// MARK: - Devices

extension Limits {
    /// Days without a sign of life after which a device is retired, where nothing else is set: a season in a drawer.
    package static let retireAfterDays = 90
    /// How often a device that runs tells that it is alive.
    package static let signOfLife: Duration = .seconds(3_600)
    /// Sightings that are kept: of six devices on each day of the longest time that can be set.
    static let keptSightings: Int64 = 24_000
}
