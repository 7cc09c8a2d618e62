import Commands
import Glibc
import Node
import NodeCore
import Transport

/// Shows a pairing to the user and sends the user's answers to the node.
final class PairingClient {
    private let loop: EventLoop
    private let path: String
    private let context: ToolContext
    private var screen: PairingScreen
    private var call: LoopCall?
    /// Sends the user's last answer.
    private var answer: LoopCall?
    private var typed = LineBuffer(limit: Limits.argumentBytes)
    /// The exit status once the command has ended; nil until then.
    private(set) var status: ExitStatus?

    init(_ request: Invocation, path: String, loop: EventLoop, context: ToolContext) throws {
        self.loop = loop
        self.path = path
        self.context = context
        screen = PairingScreen(request, program: Program(flag: context.command.home))
        call = try LoopCall(request, path: path, loop: loop) { [unowned self] line in hear(line) }
        guard asks else { return }
        // Lines typed before there is a question show the current state again.
        _ = try loop.register(STDIN_FILENO, interest: .readable) { [unowned self] _, _ in readTerminal() }
    }

    private var asks: Bool { !context.command.isJSON && isatty(STDIN_FILENO) == 1 }

    private func hear(_ line: ReplyLine?) {
        switch line {
        case .data(let bytes):
            if context.command.isJSON {
                context.output.line(String(decoding: bytes, as: UTF8.self))
            } else if let value = JSONValue(json: bytes) {
                screen.update(value)
                show(screen.text(asks: asks))
            }
        case .note(let text): context.errors.complaint(text)
        case .progress, .more: break
        case .end(let exit, _, let message):
            if !message.isEmpty { context.errors.complaint(message) }
            end(ExitStatus(rawValue: exit) ?? .failed)
        case nil:
            if status == nil {
                context.errors.complaint("the node has closed the connection: it may have been stopped")
            }
            end(.unreachable)
        }
    }

    private func show(_ lines: [String]) { for line in lines { context.output.sentence(line) } }

    private func end(_ exit: ExitStatus) {
        status = status ?? exit
        loop.stop()
    }

    private func readTerminal() {
        let bytes = [UInt8](unsafeUninitializedCapacity: 1_024) { buffer, count in
            count = max(0, retryingInterrupts { read(STDIN_FILENO, buffer.baseAddress, buffer.count) })
        }
        // The terminal is gone, so nobody can compare the digits.
        guard !bytes.isEmpty else { return end(.failed) }
        typed.append(bytes)
        while case .line(let line)? = typed.next() {
            let words = String(decoding: line, as: UTF8.self)
            guard let request = screen.request(for: words) else {
                show(screen.text(asks: true))
                continue
            }
            send(request)
        }
    }

    private func send(_ request: Invocation) {
        do {
            answer = try LoopCall(request, path: path, loop: loop) { [unowned self] line in
                if case .end(_, _, let message) = line, !message.isEmpty { context.errors.complaint(message) }
            }
        } catch {
            context.errors.complaint("the node cannot be asked: \(error)")
            end(.unreachable)
        }
    }
}
