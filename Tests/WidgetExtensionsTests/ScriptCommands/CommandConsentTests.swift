import Foundation
import Testing
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetExtensions

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

  @Test
  func
    `a command with an open argument is offered for every row, but not of a program that runs others`()
    throws
  {
    let text = try #require(
      CommandConsent.offered("/usr/bin/touch", withOpen: [["-c"], ["a b/", ""]])
    )
    #expect(text == "/usr/bin/touch -c 'a b/'{}")
    #expect(consent("/usr/bin/touch", "-c", "a b/x; y").answer(in: [text: true]) == true)
    #expect(consent("/usr/bin/touch", "-c", "other").answer(in: [text: true]) == nil)
    let open = try #require(
      CommandConsent.offered("/usr/bin/touch", withOpen: [["", ""], ["{}"]])
    )
    #expect(open == "/usr/bin/touch {} '{}'")
    #expect(consent("/usr/bin/touch", "--reference=x", "{}").answer(in: [open: true]) == nil)
    for program in ["/usr/bin/ssh", "/bin/sh", "/usr/bin/env"] {
      #expect(CommandConsent.offered(program, withOpen: [["", ""]]) == nil)
    }
  }

  @Test func `a line of a shell is one command, and what else is given to a shell is another`() {
    let line = CommandConsent(program: "/bin/sh", words: ["/bin/sh", "-c", "eval \"$1\""])
    #expect(line.exact == "/bin/sh -c 'eval \"$1\"'")
    #expect(line.answer(in: ["eval \"$1\"": true]) == true)
    #expect(line.answer(in: ["eval \"$1\"": false]) == false)
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

  @Test(arguments: [
    "/usr/bin/touch ...", "/usr/bin/touch {}", "/usr/bin/touch a{}", "'/usr/bin/touch' ...",
    "  /usr/bin/touch ...", "/usr/bin/touch {} {}", "box: /usr/bin/touch ...",
    "sandbox: /usr/bin/touch {}",
  ])
  func `an answer for a line that reads like marks permits that line alone`(line: String) {
    let asked = CommandConsent(program: "/bin/sh", words: ["/bin/sh", "-c", line])
    let answers = [asked.exact: true]
    #expect(asked.answer(in: answers) == true)
    for place in [nil, "box", CommandConsent.sandbox] {
      for argument in ["x", "ab", "..."] {
        let other = consent("/usr/bin/touch", argument, place: place)
        #expect(other.answer(in: answers) == nil)
        // Nor does what was kept in the form of earlier versions permit the line.
        #expect(asked.answer(in: [line: true]) == nil)
      }
      let elsewhere = CommandConsent(
        program: "/bin/sh",
        words: ["/bin/sh", "-c", line],
        place: place ?? "box"
      )
      #expect(elsewhere.answer(in: answers) == nil)
    }
  }

  @Test(arguments: [
    ["...", "x"], ["x", "..."], ["{}"], ["a{}b"], ["it's", "{}", "..."], ["' ..."], ["' {} '"],
    ["\\'", "{}"], [" ..."], [""],
  ])
  func `an answer for a command permits no other arguments, whatever they are`(
    arguments: [String]
  ) {
    let asked = CommandConsent(program: "/home/me/stop.sh", words: ["stop.sh"] + arguments)
    let answers = [asked.exact: true]
    #expect(asked.answer(in: answers) == true)
    for index in arguments.indices {
      var others = arguments
      others[index] = "other"
      let other = CommandConsent(program: "/home/me/stop.sh", words: ["stop.sh"] + others)
      #expect(other.answer(in: answers) == nil, "\(others)")
    }
    let longer = CommandConsent(
      program: "/home/me/stop.sh",
      words: ["stop.sh"] + arguments + ["more"]
    )
    #expect(longer.answer(in: answers) == nil)
  }

  @Test func `a program is permitted with any arguments only where the user says so`() {
    let stop = consent("/home/me/stop.sh", "a", "-b")
    // The script that asks may be permitted so by an answer, and what others can change may not.
    #expect(stop.offeredWithAnyArguments(to: "/home/me/stop.sh") == "/home/me/stop.sh ...")
    #expect(stop.offeredWithAnyArguments(to: "/home/me/other.sh") == nil)
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
    "/usr/bin/ssh-agent", "/usr/bin/sort", "/usr/bin/dpkg-reconfigure", "/usr/bin/curl",
    "/usr/bin/cp", "/usr/bin/tee", "/usr/bin/eval", "/bin/.", "/usr/bin/gcc-12", "/usr/bin/gpg2",
  ])
  func `a program that runs others is never permitted with any arguments`(program: String) {
    let command = consent(program, "x", "y")
    #expect(command.offeredWithAnyArguments(to: program) == nil)
    #expect(command.answer(in: ["\(program) ...": true, "\(program) x {}": true]) == nil)
    #expect(CommandConsent.fault("\(program) ...") != nil)
    #expect(CommandConsent.fault("box: \(program) ...") != nil)
    #expect(CommandConsent.fault("\(program) x {}") != nil)
    #expect(CommandConsent.fault("\(program) x y") == nil)
    #expect(command.answer(in: ["\(program) x y": true]) == true)
  }

  @Test func `any arguments are offered for programs of the system that run no others`() throws {
    let folder = try BundleFolder()
    let copy = "\(folder.path)/printf"
    try FileManager.default.copyItem(atPath: "/usr/bin/printf", toPath: copy)
    // Whoever can write the folder can put another program in its place.
    #expect(unsafe chmod(folder.path, 0o777) == 0)
    #expect(consent(copy, "x").offeredWithAnyArguments(to: nil) == nil)
    #expect(
      consent("/usr/bin/printf", "x").offeredWithAnyArguments(to: nil) == "/usr/bin/printf ..."
    )
    #expect(consent("/usr/bin/printf", "x", place: "box").offeredWithAnyArguments(to: nil) == nil)
    #expect(consent("/usr/bin/none", "x").offeredWithAnyArguments(to: nil) == nil)
    // A copy and a hard link of a program that runs others, under the name of a harmless one.
    for name in ["copy", "link"] {
      let other = "\(folder.path)/\(name)"
      if name == "copy" {
        try FileManager.default.copyItem(atPath: "/usr/bin/env", toPath: other)
      } else {
        try FileManager.default.createSymbolicLink(
          atPath: other,
          withDestinationPath: "/usr/bin/env"
        )
      }
      #expect(LaunchingPrograms.isSameFile(other))
      #expect(consent(other, "x").offeredWithAnyArguments(to: nil) == nil)
    }
    #expect(!LaunchingPrograms.isSameFile("/usr/bin/printf"))
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
