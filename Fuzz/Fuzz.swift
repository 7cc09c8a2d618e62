import Doors
import Glibc
import NodeCore

/// libFuzzer's loop around the doors (docs/TESTING.md).
///
///     fuzz [--door=NAME] [--samples=FOLDER] [--each=N] [--tell] [libFuzzer's options and folders]
private enum Fuzz {
    nonisolated(unsafe) static var door: Door?
    /// How many inputs each of libFuzzer's stands for: itself, and others made of it, always the same ones. After each
    /// call libFuzzer scans the counters of the whole program, which takes longer than most doors do.
    nonisolated(unsafe) static var each = 1
    /// Prints each input before it is tried: to see which one of a found input's traps.
    nonisolated(unsafe) static var tells = false

    static func option(_ name: String) -> String? {
        CommandLine.arguments.first { $0.hasPrefix("--\(name)=") }.map { String($0.dropFirst(name.count + 3)) }
    }

    static func attempt(_ input: [UInt8]) {
        if tells { print(input) }
        if let fault = Door.fault(in: input, only: door) { fatalError("\(fault): \(input)") }
    }
}

/// Called once, before the folders are read: writes what the mutations begin with.
@_cdecl("LLVMFuzzerInitialize")
public func fuzzInitialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
    if let name = Fuzz.option("door") {
        guard let door = Door(named: name) else { fatalError("no door \(name); there are \(Door.allCases)") }
        Fuzz.door = door
    }
    Fuzz.each = Fuzz.option("each").flatMap { Int($0) } ?? 1
    Fuzz.tells = CommandLine.arguments.contains("--tell")
    guard let folder = Fuzz.option("samples") else { return 0 }
    for door in Fuzz.door.map({ [$0] }) ?? Door.allCases {
        for (number, sample) in door.samples.enumerated() {
            guard let file = fopen("\(folder)/\(door)-\(number)", "w") else { continue }
            fwrite(sample, 1, sample.count, file)
            fclose(file)
        }
    }
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 0, let start else { return 0 }
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    Fuzz.attempt(input)
    // FNV-1a, so that the same input has the same others in each run.
    var random = SeededRandom(seed: input.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
    for _ in 1..<max(1, Fuzz.each) { Fuzz.attempt(Door.mutated(input, &random)) }
    return 0
}
