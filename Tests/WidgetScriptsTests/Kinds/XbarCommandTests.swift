import Testing
import WidgetKitCore

@testable import WidgetScripts

/// The commands of rows of menus.
@Suite struct `A command in a menu` {
  private func words(_ line: String, _ dialect: XbarDialect = .swiftbar) throws -> [String] {
    let item = try #require(XbarMenu("t\n---\n" + line, dialect).items.first)
    guard case .line(let line) = item.kind else { return [] }
    return try #require(XbarCommand.command(of: line, dialect)).words
  }

  @Test(arguments: [
    (
      "bash='/my tool/run it.sh' param1=config param2=\"Swift Bar\"",
      "'/my tool/run it.sh' config 'Swift Bar'"
    ),
    ("bash='~/my tool/run' param1=x", "~/'my tool/run' x"),
    (
      "bash=/bin/echo param1=one param2=&& param3=/bin/echo param4=two",
      "/bin/echo one && /bin/echo two"
    ),
    ("bash=a param1=| param2=b param3=2>&1 param4=; param5=c", "a | b 2>&1 ; c"),
    ("bash=a param1=|| param2=b", "a || b"),
    ("bash=a param1=a&&b param2='x; y' param3=$HOME param4=''", "a 'a&&b' 'x; y' '$HOME' ''"),
    ("bash=a param1=\"it's\" param2=\"'it is'\"", "a 'it'\\''s' 'it is'"),
    ("bash=a param1=\"'a' 'b'\"", "a ''\\''a'\\'' '\\''b'\\'''"),
    ("bash=\"'/a b'\" param1=x", "'/a b' x"), ("bash='echo hi' param1=x", "echo hi x"),
    ("bash=a param10=c param2=b", "a b c"), ("bash=a param1=é param2=`id`", "a é '`id`'"),
    ("bash=$HOME/x param1=--y=z", "$HOME/x --y=z"),
  ])
  func `of SwiftBar has paths and parameters with blanks, and operators`(
    parameters: String,
    command: String
  ) throws {
    #expect(try words("a | " + parameters) == ["/bin/sh", "-c", command])
  }

  @Test func `of xbar has its words as they are, and one of Argos all in quotes`() throws {
    let line = "a | bash='/my tool' param1=&& param2='x y'"
    #expect(try words(line, .xbar) == ["/my tool", "&&", "x y"])
    #expect(try words(line, .argos) == ["/bin/sh", "-c", "/my tool '&&' 'x y'"])
  }

  @Test func `has the parameters that its program counts`() throws {
    let line = "a | bash=x param4=d param2=b param1=a param0=z param=y param-1=w"
    #expect(try words(line, .xbar) == ["x", "a", "b", "d"])
    #expect(try words(line, .swiftbar) == ["/bin/sh", "-c", "x z a b d"])
    #expect(try words(line, .argos) == ["/bin/sh", "-c", "x 'a' 'b'"])
  }

  @Test(arguments: [
    (
      #"bash=/bin/echo param1="say \"hi\" now""#, XbarDialect.swiftbar, #"/bin/echo 'say "hi" now'"#
    ),
    (#"bash=/bin/echo param1='a b'c"#, .argos, "/bin/echo 'a bc'"),
    ("bash=echo param1=a|b param2=|", .swiftbar, "echo 'a|b' |"),
  ])
  func `has the values that its program reads`(
    parameters: String,
    dialect: XbarDialect,
    command: String
  ) throws {
    #expect(try words("a | " + parameters, dialect) == ["/bin/sh", "-c", command])
  }

  @Test func `is read by scalar values`() throws {
    let marked = "a |\u{301} bash=\u{301}x param1=\"\u{301}y\" param2='\u{301}z'"
    #expect(try words(marked, .xbar) == ["\u{301}x", "\u{301}y", "\u{301}z"])
  }
}
