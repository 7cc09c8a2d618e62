import Doors
import Glibc

/// libFuzzer's loop around the doors (docs/TESTING.md).
///
///     fuzz [--door=NAME] [--samples=FOLDER] [libFuzzer's options and folders]
private enum Fuzz {
    nonisolated(unsafe) static var door: Door?

    static func option(_ name: String) -> String? {
        CommandLine.arguments.first { $0.hasPrefix("--\(name)=") }.map { String($0.dropFirst(name.count + 3)) }
    }
}

/// Called once, before the folders are read: writes what the mutations begin with.
@_cdecl("LLVMFuzzerInitialize")
public func fuzzInitialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
    if let name = Fuzz.option("door") {
        guard let door = Door(named: name) else { fatalError("no door \(name); there are \(Door.allCases)") }
        Fuzz.door = door
    }
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
    if let fault = Door.fault(in: UnsafeBufferPointer(start: start, count: count), only: Fuzz.door) {
        fatalError(fault)
    }
    return 0
}
