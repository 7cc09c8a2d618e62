import Glibc
import JSONLines
import NodeCore
import NodeModel

@testable import Chat
@testable import Commands
@testable import Node

/// What users and apps give: requests, lines, files.
extension Door {
    static func target(_ bytes: [UInt8]) -> String? {
        guard let target = try? HTTPTarget(String(decoding: bytes, as: UTF8.self)) else { return nil }
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"] {
            guard case .found(let endpoint, let path) = APITable.router.match(method, target.path) else { continue }
            _ = try? RequestReader(endpoint: endpoint).arguments(path: path, query: target.query)
            _ = try? RequestReader(endpoint: endpoint, isOfCommandLine: true).arguments(path: path, query: target.query)
        }
        return nil
    }

    /// The first byte names the endpoint.
    static func body(_ bytes: [UInt8]) -> String? {
        guard let first = bytes.first else { return nil }
        let reader = RequestReader(endpoint: APITable.endpoints[Int(first) % APITable.endpoints.count])
        let body = Array(bytes.dropFirst())
        _ = try? reader.arguments(body: body)
        _ = try? reader.message(body: body, txid: nil)
        _ = try? reader.array(body: body)
        return nil
    }

    static func json(_ bytes: [UInt8]) -> String? {
        guard let value = JSONValue(json: bytes) else { return nil }
        let encoded = value.encoded
        guard let again = JSONValue(json: encoded) else { return "what is written as JSON is none" }
        return again.encoded == encoded ? nil : "JSON is not what it reads as"
    }

    /// In pieces as in one.
    static func lines(_ bytes: [UInt8]) -> String? {
        var pieces = LineBuffer(limit: 256)
        var whole = LineBuffer(limit: 256)
        var (found, expected): ([LineBuffer.Line], [LineBuffer.Line]) = ([], [])
        whole.append(bytes)
        while let line = whole.next() { expected.append(line) }
        if let rest = whole.rest() { expected.append(rest) }
        for start in stride(from: 0, to: bytes.count, by: 7) {
            pieces.append(bytes[start..<min(start + 7, bytes.count)])
            while let line = pieces.next() { found.append(line) }
        }
        if let rest = pieces.rest() { found.append(rest) }
        guard found == expected else { return "lines depend on the pieces in which they come" }
        for case .line(let line) in found {
            _ = try? StateLine(json: line)
            _ = try? ReadLine(json: line)
            if let message = try? NewMessage(json: line) { _ = try? ChatMessage(message) }
            if let event = try? ChainLine(json: line) { _ = try? ChainEvent(event, .reorg) }
            _ = try? ScoreInput(line)
        }
        return nil
    }

    static func settings(_ bytes: [UInt8]) -> String? {
        guard let settings = try? NodeSettings(json: bytes) else { return nil }
        return (try? NodeSettings(json: settings.encoded)) == settings ? nil : "settings are not what they read as"
    }

    static func home(_ bytes: [UInt8]) -> String? {
        if let identity = try? Identity(encoded: bytes) {
            let encoded = identity.encoded()
            guard let again = try? Identity(encoded: encoded), again.encoded() == encoded else {
                return "an identity is not what it reads as"
            }
        }
        if let tokens = TokenList(json: bytes), TokenList(json: tokens.encoded)?.encoded != tokens.encoded {
            return "tokens are not what they read as"
        }
        _ = try? AchievementSet(file: bytes)
        return nil
    }

    /// The first two bytes say whether it is a backup, and how many of the others are parts; the rest is the list of
    /// contents.
    static func container(_ bytes: [UInt8]) -> String? {
        guard bytes.count > 2 else { return nil }
        let kind: ContainerFormat.Kind = bytes[0] & 0x80 == 0 ? .archive : .backup
        let cut = 2 + min(Int(bytes[0] & 0x7F) << 8 | Int(bytes[1]), bytes.count - 2)
        let list = Array(bytes[cut...])
        var file = ContainerFormat.head(kind) + bytes[2..<cut]
        let place = file.count
        file += ContainerFormat.skippable(1, list)
        let hash = Blake2b.hash32(list, domain: ContainerFormat.hashDomain).bytes
        file += ContainerFormat.skippable(2, (0..<8).map { UInt8(truncatingIfNeeded: place >> (56 - 8 * $0)) } + hash)
        guard let path = written(file) else { return nil }
        defer { unlink(path) }
        guard let reader = try? ContainerReader(path: path, kind: kind, findsParts: true) else { return nil }
        _ = reader.damagedParts()
        _ = try? BackupIdentity(reader, phrases: nil)
        for part in reader.parts { _ = try? reader.content(part, limit: 1 << 20) }
        return nil
    }

    /// The path of a file in memory, where there is such.
    private static func written(_ bytes: [UInt8]) -> String? {
        let path = "\(access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")/kachat-door-\(getpid())"
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == bytes.count ? path : nil
    }
}
