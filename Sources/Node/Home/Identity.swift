package import NodeCore

/// Who this node is: the secret of the device and those of its accounts. Lives in the home's file `identity`.
package struct Identity: Sendable {
    /// One account of the person who uses this device.
    package struct Account: Sendable {
        /// What the user calls it; not secret.
        package var label: String
        package var secret: AccountSecret
        package var createdAt: WallTime

        package init(label: String, secret: AccountSecret, createdAt: WallTime) {
            self.label = label
            self.secret = secret
            self.createdAt = createdAt
        }
    }

    /// 32 random bytes; each zone's keys of this device come from them.
    package let deviceSecret: Secret
    /// What the person's other devices show for this one.
    package var deviceName: String
    package var accounts: [Account]

    package init(deviceSecret: Secret, deviceName: String, accounts: [Account]) {
        self.deviceSecret = deviceSecret
        self.deviceName = deviceName
        self.accounts = accounts
    }
}
