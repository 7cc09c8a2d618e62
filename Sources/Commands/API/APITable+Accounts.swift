import Node
import SyncState

/// Accounts, devices, peers.
extension APITable {
    package static let accounts: [Endpoint] = [
        Endpoint(
            "accounts", .get, "/v1/accounts", .anyToken, .command("account list"),
            "The accounts of this node, the default one first", answer: .list("Account", next: nil)),
        Endpoint(
            "account", .get, "/v1/account", .anyToken, .command("account show"),
            "An account: its ids, its versions, since when it is there", answer: .object("AccountDetails")),
        Endpoint(
            "pauseAccount", .post, "/v1/account/pause", .scope(.admin), .command("account pause"),
            "Send and fetch nothing for an account until it is resumed",
            parameters: [
                APIParameter(
                    .body, "by", "--by", .bytes(SyncState.Limits.pausedByBytes), help: "who wants it, as status shows")
            ], body: .fields, answer: .object("Pause")),
        Endpoint(
            "resumeAccount", .post, "/v1/account/resume", .scope(.admin), .command("account resume"),
            "End the pause of an account", body: .fields, answer: .object("Pause")),
        Endpoint(
            "devices", .get, "/v1/devices", .scope(.chatRead), .command("device list"),
            "The account's devices: when each was there, and up to when it has everything",
            answer: .list("ListedDevice", next: nil)),
        Endpoint(
            "renameDevice", .patch, "/v1/device", .scope(.admin), .command("device rename"),
            "Give this device another name, for all devices to see",
            parameters: [
                APIParameter(
                    .body, "name", "NAME", .bytes(Node.Limits.deviceNameBytes), required: true,
                    help: "at most 128 bytes")
            ], body: .fields, answer: .object("DeviceName")),
        Endpoint(
            "renameOtherDevice", .patch, "/v1/devices/{deviceId}", .scope(.admin), .command("device rename"),
            "Give a device of the account another name, for all devices to see; it need not be in reach",
            parameters: [
                APIParameter(.path, "deviceId", "--device", help: "its id, or the beginning of it"),
                APIParameter(
                    .body, "name", "NAME", .bytes(Node.Limits.deviceNameBytes), required: true,
                    help: "at most 128 bytes"),
            ], body: .fields, answer: .object("DeviceName")),
        Endpoint(
            "deviceAddress", .get, "/v1/device/address", .scope(.chatRead), .command("device address"),
            "Where other devices reach this one, for a new device to be told",
            parameters: [APIParameter(.query, "qr", "--qr", .isGiven, help: "with a QR code of it")],
            answer: .object("DeviceAddress")),
        Endpoint(
            "forgetDevice", .delete, "/v1/devices/{deviceId}", .scope(.admin), .command("device forget"),
            "Let a device go that does not come back; its messages stay",
            parameters: [APIParameter(.path, "deviceId", "ID", help: "its id, or the beginning of it")],
            answer: .object("ForgottenDevice")),
        Endpoint(
            "peers", .get, "/v1/peers", .anyToken, .command("peers"), "The devices that the running node knows",
            answer: .list("Peer", next: nil)),
    ]

    static let accountShapes: [Shape] = [
        Shape(
            "Account",
            """
            accountId text,deviceId? text?,label text,isDefault bool,createdAt? int?,state text,messages? int,\
            unread? int,pausedBy? text?,pausedSince? int?,reason? text?
            """),
        Shape(
            "AccountDetails",
            """
            accountId text,deviceId text,name text,label text,isDefault bool,state text,createdAt int,addedAt int,\
            schemaVersion int,syncKeyVersion int,hasPhrase bool,pausedBy text?,pausedSince int?,home text
            """),
        Shape("Pause", "accountId text,label text,paused bool,pausedBy text?,pausedSince int?"),
        Shape("Device", "deviceId text,name text?,holdsUpTo? int?"),
        Shape(
            "ListedDevice",
            """
            deviceId text,name text?,appVersion text?,thisDevice bool,connected bool,lastSeenAt int?,holdsUpTo int?,\
            lanes [text]
            """),
        Shape("DeviceName", "deviceId? text?,name text"),
        Shape("DeviceAddress", "addresses [text],text text,qr? text?"),
        Shape("ForgottenDevice", "deviceId text,name text?,notes? [text]"),
        Shape(
            "Peer",
            """
            accountId text,deviceId text?,address text,foundBy text,state text,synced? bool,\
            roundTripMicroseconds? int?
            """),
    ]
}
