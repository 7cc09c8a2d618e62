extension Limits {
    /// How long nothing is marked before reads are published, so that scrolling through a conversation publishes one
    /// record and not a hundred.
    package static let quietBeforePublishing: Duration = .seconds(15)
}
