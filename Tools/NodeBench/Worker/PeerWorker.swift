import Chat
import Glibc
import Node
import NodeCore
import ProcessHarness
import SyncState
import Transport

/// A node that other programs control and compare with theirs: one JSON object per line in each direction.
///
/// `{"op":"add","files":[…]}` stores files as opaque blobs, `{"op":"dial","host":…,"port":…}` looks for another node,
/// `{"op":"want","n":…}` is followed by the event `reached` when that many records and all their blobs are here,
/// `{"op":"count"}` returns their number. An answer is sent when the operation is durable.
final class PeerWorker {
    private let node: EmbeddedNode
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 64)
    private var input: [UInt8] = []
    private var lines: ArraySlice<[UInt8]> = []
    private var answers: [[String: JSONValue]] = []
    private var wanted: Int?
    private let output = Output.standardOutput()

    init(_ options: BenchOptions) throws {
        node = try EmbeddedNode(home: try options.folder, discovery: options.discovery)
        let port = try node.listen(on: SocketAddress(ipv4: 0, port: options.portIfGiven ?? 0))
        say(["ev": .string("up"), "id": .string(node.zone.lane.hex), "port": .int(Int64(port))])
    }

    deinit { buffer.deallocate() }

    func run() throws {
        try node.loop.handleSignals { [node] _ in node.stop() }
        _ = try node.loop.register(0, interest: .readable) { [unowned self] _, _ in read() }
        node.beforeTurn = { [unowned self] _ in work() }
        node.afterTurn = { [unowned self] now in answer(now) }
        try node.run()
        node.close()
    }

    private func read() {
        let count = Glibc.read(0, buffer.baseAddress, buffer.count)
        guard count > 0 else { return node.stop() }
        input += buffer[..<count]
        var parts = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        input = Array(parts.removeLast())
        lines += parts.map(Array.init)
    }

    /// Does a bounded part of the requested work; the turn commits it.
    private func work() {
        guard let line = lines.popFirst() else { return }
        do {
            answers.append(try perform(line))
        } catch {
            answers.append(["err": .string("\(error)")])
        }
    }

    private func perform(_ line: [UInt8]) throws -> [String: JSONValue] {
        guard let request = JSONValue(json: line), let operation = request["op"]?.text else {
            throw BenchError("no request")
        }
        switch operation {
        case "add":
            for file in request["files"]?.elements ?? [] {
                guard let path = file.text, let bytes = FileTree.read(path) else { throw BenchError("no such file") }
                try node.zone.opaque.add(name: String(path.split(separator: "/").last ?? ""), bytes)
            }
        case "dial":
            guard let host = request["host"]?.text, let port = request["port"]?.integer,
                let address = SocketAddress("\(host):\(port)")
            else { throw BenchError("no address") }
            node.dial(address)
        case "want": wanted = request["n"]?.integer.map { Int($0) }
        case "count": break
        default: throw BenchError("no such operation: \(operation)")
        }
        return ["n": .number(node.zone.store.recordCount), "wanted": .number(node.zone.store.wantedCount)]
    }

    private func answer(_ now: MonotonicTime) {
        for answer in answers { say(answer) }
        answers = []
        let store = node.zone.store
        if let wanted, store.recordCount >= wanted, store.wantedCount == 0 {
            self.wanted = nil
            say(["ev": .string("reached"), "n": .number(store.recordCount)])
        }
        if !lines.isEmpty { node.loop.deadline = now }
    }

    private func say(_ fields: [String: JSONValue]) {
        output.line(String(decoding: JSONValue.object(fields).encoded, as: UTF8.self))
    }
}
