import Testing

@testable import WidgetHost

/// What an answer about the command of a row is kept for.
@Suite struct CommandConsentTests {
  private func consent(_ program: String, _ arguments: String..., place: String? = nil)
    -> CommandConsent
  {
    CommandConsent(program: program, words: [program] + arguments, place: place)
  }

  @Test func `an answer is for the command with its arguments`() {
    let hello = consent("/usr/bin/env", "echo", "hello")
    let answers = [hello.exact: true]
    #expect(hello.exact == "/usr/bin/env echo hello")
    #expect(hello.answer(in: answers) == true)
    #expect(consent("/usr/bin/env", "sh", "-c", "touch x").answer(in: answers) == nil)
    #expect(consent("/usr/bin/env", "echo", "hello", "x").answer(in: answers) == nil)
    #expect(consent("/usr/bin/env", "echo hello").answer(in: answers) == nil)
    #expect(consent("/usr/bin/env").answer(in: answers) == nil)
    let mine = consent("/home/me/stop.sh", "a")
    #expect(mine.answer(in: ["/home/me/stop.sh": true]) == nil)
    #expect(mine.answer(in: ["/home/me/stop.sh a": true]) == true)
  }

  @Test func `a line of a shell is one command, and what else is given to a shell is another`() {
    let line = CommandConsent(program: "/bin/sh", words: ["/bin/sh", "-c", "eval \"$1\""])
    #expect(line.exact == "eval \"$1\"")
    for words in [
      ["/bin/sh", "-c", "eval \"$1\"", "x", "rm -rf ."], ["./sh", "-c", "eval \"$1\""],
      ["/tmp/sh", "-c", "eval \"$1\""],
    ] {
      let other = CommandConsent(program: words[0], words: words)
      #expect(other.answer(in: [line.exact: true]) == nil, "\(words)")
    }
    let open = CommandConsent(program: "/bin/sh", words: ["/bin/sh", "-c", "/home/me/kill 5; x"])
    #expect(open.answer(in: ["/home/me/kill {}": true, "/home/me/kill ...": true]) == nil)
  }

  @Test func `a program is permitted with any arguments only where the user says so`() {
    let stop = consent("/home/me/stop.sh", "a", "-b")
    #expect(stop.withAnyArguments == "/home/me/stop.sh ...")
    #expect(stop.answer(in: ["/home/me/stop.sh ...": true]) == true)
    #expect(consent("/home/me/stop").answer(in: ["/home/me/stop.sh ...": true]) == nil)
    // An argument that looks so is one like any other.
    let dots = consent("/home/me/stop.sh", "...")
    #expect(stop.answer(in: [dots.exact: true]) == nil)
    #expect(dots.answer(in: [dots.exact: true]) == true)
  }

  @Test(arguments: [
    "/usr/bin/env", "/bin/sh", "/usr/bin/bash", "/usr/bin/python3", "/usr/bin/python3.11",
    "/usr/bin/perl", "/usr/bin/ruby3.1", "/usr/bin/node", "/usr/bin/sudo", "/usr/bin/doas",
    "/usr/bin/xargs", "/usr/bin/find", "/usr/bin/ssh", "/usr/bin/nohup", "/usr/bin/setsid",
    "/usr/bin/timeout", "/usr/bin/nice", "/usr/bin/awk", "/usr/bin/mawk", "/usr/bin/vim.basic",
    "/usr/bin/git", "/lib64/ld-linux-x86-64.so.2", "/bin/busybox", "/usr/bin/php8.2",
    "/usr/bin/lua5.4",
    "/usr/bin/systemd-run", "/usr/bin/flock", "/usr/bin/sed", "/usr/bin/make", "/usr/bin/tclsh8.6",
  ])
  func `a program that runs others is never permitted with any arguments`(program: String) {
    let command = consent(program, "x", "y")
    #expect(command.withAnyArguments == nil)
    #expect(command.answer(in: ["\(program) ...": true, "\(program) x {}": true]) == nil)
    #expect(CommandConsent.fault("\(program) ...") != nil)
    #expect(CommandConsent.fault("box: \(program) ...") != nil)
    #expect(CommandConsent.fault("\(program) x {}") != nil)
    #expect(CommandConsent.fault("\(program) x y") == nil)
    #expect(command.answer(in: ["\(program) x y": true]) == true)
  }

  @Test func `marked places take the text of a row, and no options`() {
    let answers = ["/home/me/stop.sh --unit={} {} now": true]
    #expect(consent("/home/me/stop.sh", "--unit=a b", "5", "now").answer(in: answers) == true)
    for arguments in [
      ["--unit=a", "-rf", "now"], ["--unit", "5", "now"], ["--unit=a", "5"],
      ["--unit=a", "5", "now", "x"], ["--unit=a", "5", "later"],
    ] {
      let command = CommandConsent(program: "/home/me/stop.sh", words: ["stop.sh"] + arguments)
      #expect(command.answer(in: answers) == nil, "\(arguments)")
    }
    // A text that looks like a mark is one like any other.
    let braces = consent("/home/me/stop.sh", "{}")
    #expect(consent("/home/me/stop.sh", "x").answer(in: [braces.exact: true]) == nil)
    #expect(braces.answer(in: [braces.exact: true]) == true)
  }

  @Test func `a refusal of a program is one of all its commands`() {
    let command = consent("/home/me/stop.sh", "a")
    #expect(command.answer(in: ["/home/me/stop.sh": false, "/home/me/stop.sh a": true]) == false)
    #expect(command.answer(in: ["/home/me/stop.sh ...": false]) == false)
    #expect(command.answer(in: ["/home/me/stop.sh a": false]) == false)
    #expect(command.answer(in: ["/home/me/stop.sh b": false]) == nil)
  }

  @Test func `what is permitted in one place is not permitted in another`() {
    let here = consent("/home/me/stop.sh", "a")
    let there = consent("/home/me/stop.sh", "a", place: "box")
    let inside = consent("/home/me/stop.sh", "a", place: CommandConsent.sandbox)
    #expect(Set([here.exact, there.exact, inside.exact]).count == 3)
    for command in [here, there, inside] {
      for other in [here, there, inside] {
        #expect(command.answer(in: [other.exact: true]) == (command == other ? true : nil))
      }
    }
    #expect(there.answer(in: ["box: /home/me/stop.sh ...": true]) == true)
    #expect(here.answer(in: ["box: /home/me/stop.sh ...": true]) == nil)
  }
}
