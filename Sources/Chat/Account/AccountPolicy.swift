/// What the user may set about an account's reads and devices.
package struct AccountPolicy: Hashable, Sendable {
    /// How long nothing is marked before reads are published.
    package var quiet: Duration
    /// Days on which others gave a sign of life and a device did not, after which it is retired.
    package var retireAfterDays: Int

    package init(quiet: Duration = Limits.quietBeforePublishing, retireAfterDays: Int = Limits.retireAfterDays) {
        self.quiet = quiet
        self.retireAfterDays = retireAfterDays
    }
}
