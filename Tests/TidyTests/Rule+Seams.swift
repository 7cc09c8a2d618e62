extension Rule {
    /// The files that may read the time themselves, each with its reason. All others are given it.
    static let clockReaders: [String: String] = [
        "Sources/NodeCore/Time/Clock.swift": "the node's one clock",
        "Tools/ProcessHarness/Deadline.swift": "waits for real processes, in real time",
        "Sources/KaChatClient/HTTP/Deadline.swift": "waits for a real node, in real time",
    ]

    private static let clockCalls = [
        "clock_gettime", "gettimeofday", "ContinuousClock", "SuspendingClock", "DispatchTime", "Date(", "Date.now",
    ]

    static let clocks = Rule.lines("time comes in as an argument", about: clockCalls) { file, index in
        guard file.isSwift, file.isSource, clockReaders[file.path] == nil else { return nil }
        return clockCalls.first { file.code[index].contains(word: $0) }
            .map { "\($0) reads a clock: only SystemClock does, others are told the time" }
    }

    private static let randomCalls = [".random(", ".shuffled()", ".shuffle()", ".randomElement()"]

    static let randomness = Rule.lines(
        "randomness comes from a RandomSource", about: randomCalls + ["SystemRandomNumberGenerator"]
    ) { file, index in
        guard file.isSwift, file.isSource, let target = file.target, pure.contains(target) else { return nil }
        let code = file.code[index]
        if code.contains(word: "SystemRandomNumberGenerator") { return "randomness comes from a RandomSource" }
        let next = index + 1 < file.code.count ? file.code[index + 1] : ""
        guard !(code + next).contains("using:") else { return nil }
        return randomCalls.first { code.contains($0) }
            .map { "\($0) without `using:`: randomness comes from a RandomSource" }
    }

    private static let printCalls = ["print(", "debugPrint(", "dump(", "NSLog("]

    /// The places where text for people leaves the program: these write whole lines with write(2); nothing else prints.
    static let prints = Rule.lines("no print", about: printCalls) { file, index in
        guard file.isSwift, file.isSource else { return nil }
        let isOutput = file.target == "kachat-node" && file.baseName.hasPrefix("Output")
        guard !isOutput else { return nil }
        let code = file.code[index]
        return printCalls.first { call in
            // A function or method with that name is a different one.
            code.contains(word: call) && !code.contains("func " + call)
                && (!code.contains("." + call) || code.contains("Swift." + call))
        }
        .map { "\($0)…): only the executable's Output writes to the terminal" }
    }
}
