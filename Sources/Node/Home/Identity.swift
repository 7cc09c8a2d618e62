package import NodeCore

/// This node's identity: the secrets of the device and its accounts. Stored in the home's file `identity`.
package struct Identity: Sendable {
    /// One account of the person who uses this device.
    package struct Account: Sendable {
        /// The user's label; not secret.
        package var label: String
        package var secret: AccountSecret
        package var createdAt: WallTime

        package init(label: String, secret: AccountSecret, createdAt: WallTime) {
            self.label = label
            self.secret = secret
            self.createdAt = createdAt
        }
    }

    /// 32 random bytes; this device's keys in each zone are derived from them.
    package let deviceSecret: Secret
    /// This device's name, as shown on the person's other devices.
    package var deviceName: String
    package var accounts: [Account]

    package init(deviceSecret: Secret, deviceName: String, accounts: [Account]) {
        self.deviceSecret = deviceSecret
        self.deviceName = deviceName
        self.accounts = accounts
    }
}
