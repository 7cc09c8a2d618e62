import Glibc
import NodeCore
import ProcessHarness

/// The raw performance of this machine, one operation at a time.
enum RawLimits {
    static func figures(in folder: String) throws -> [Figure] {
        let block = [UInt8](repeating: 7, count: 10_240)
        return [
            figure("loopback TCP", "MB/s", try tcp()),
            figure("ChaCha20-Poly1305, seal", "MB/s", aead(block)),
            figure("BLAKE2b-256", "MB/s", hash(block)),
            figure("append 16 KiB and fdatasync, p50", "ms", try sync(in: folder)),
            figure("loopback round trip, p50", "ms", try roundTrip()),
        ]
    }

    private static func figure(_ what: String, _ unit: String, _ value: Double) -> Figure {
        Figure("limits", what, value, unit)
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let time = Stopwatch()
        try body()
        return time.seconds
    }

    private static func aead(_ block: [UInt8]) -> Double {
        var frame = [UInt8](repeating: 0, count: block.count + 20)
        let key = [UInt8](repeating: 3, count: 32)
        let rounds = 20_000
        let took = seconds {
            frame.withUnsafeMutableBytes { frame in
                for round in 0..<rounds { PlainCipher.seal(block, into: frame, nonce: UInt64(round), key: key) }
            }
        }
        return Double(rounds * block.count) / took / 1e6
    }

    private static func hash(_ block: [UInt8]) -> Double {
        let rounds = 20_000
        let took = seconds {
            for _ in 0..<rounds { _ = block.withUnsafeBytes { Blake2b.hash32($0) } }
        }
        return Double(rounds * block.count) / took / 1e6
    }

    private static func sync(in folder: String) throws -> Double {
        let descriptor = open(folder + "/sync", O_CREAT | O_WRONLY | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw BenchError("cannot write to \(folder)") }
        defer { close(descriptor) }
        let block = [UInt8](repeating: 1, count: 16_384)
        return (0..<100).map { _ in
            1e3
                * seconds {
                    _ = write(descriptor, block, block.count)
                    fdatasync(descriptor)
                }
        }.median
    }

    private static func tcp() throws -> Double {
        let worker = try Subject.worker("echo", [])
        defer { worker.stop() }
        guard let port = UInt16(try worker.port()) else { throw BenchError("no port") }
        let socket = try PlainSocket.connected(to: port)
        let block = [UInt8](repeating: 2, count: 1 << 20)
        let rounds = 400
        let took = seconds {
            for _ in 0..<rounds { socket.send(block) }
        }
        socket.close()
        return Double(rounds * block.count) / took / 1e6
    }

    private static func roundTrip() throws -> Double {
        let worker = try Subject.worker("echo", ["--pushes", "1"])
        defer { worker.stop() }
        guard let port = UInt16(try worker.port()) else { throw BenchError("no port") }
        let socket = try PlainSocket.connected(to: port)
        defer { socket.close() }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
        defer { buffer.deallocate() }
        return (0..<1_000).map { _ in
            1e3
                * seconds {
                    socket.send([1])
                    _ = socket.receive(into: buffer)
                }
        }.median
    }

    /// The other side: receives everything, and echoes it if requested.
    static func echo(givesBack: Bool) throws {
        let socket = try PlainSocket.listening()
        Worker.say("listen", Int64(socket.port))
        guard let connection = socket.accept() else { return }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { buffer.deallocate() }
        while true {
            let count = connection.receive(into: buffer)
            guard count > 0 else { return }
            if givesBack { connection.send(Array(buffer[..<count])) }
        }
    }
}
