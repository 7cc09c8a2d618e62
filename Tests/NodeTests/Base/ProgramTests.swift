import Testing

@testable import Node

@Suite struct ProgramTests {
    private let usual = Environment(["HOME": "/srv/anna"])

    @Test func namesTheHomeWhereAnotherOneWouldBeMeant() {
        let home = HomeFolder(path: "/srv/anna/.local/share/kachat-node")
        #expect(Program(home: home, environment: usual).text == "kachat-node")
        #expect(Program(home: HomeFolder(path: "/tmp/two"), environment: usual).text == "kachat-node --home /tmp/two")
        let service = Environment(["HOME": "/srv/anna", "KACHAT_HOME": "/tmp/two"])
        #expect(Program(home: HomeFolder(path: "/tmp/two"), environment: service).text == "kachat-node --home /tmp/two")
        #expect(Program(home: home, environment: Environment([:])).text == "kachat-node --home \(home.path)")
    }

    @Test func quotesWhatAShellWouldRead() {
        let program = Program(flag: "/tmp/anna's home")
        #expect(
            program.command("account resume", account: "my work")
                == "`kachat-node --home '/tmp/anna'\\''s home' account resume --account 'my work'`")
        #expect(Program.quoted("plain-1.2/x_y:z@") == "plain-1.2/x_y:z@")
        #expect(Program.quoted("") == "''")
        for sign in "*?[]{}<>|&;()#~!$`\"'\\=%^ \n\u{e9}" {
            #expect(Program.quoted("a\(sign)b").hasPrefix("'a"))
        }
    }

    @Test func completesTheCommandsOfAText() {
        let text = "see `kachat-node device list`, or `kachat-node --home /x run`; kachat-node is a program"
        #expect(Program(flag: nil).complete(text) == text)
        #expect(
            Program(flag: "/y").complete(text)
                == "see `kachat-node --home /y device list`, or `kachat-node --home /x run`; kachat-node is a program")
    }
}
