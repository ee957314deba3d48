import Testing
import WidgetKitCore

@testable import WidgetScripts

/// What programs print that is nearly of its format.
@Suite struct `Damaged output of a script` {
  @Test func `of Prometheus keeps a backslash that is not escaped`() {
    let text = #"""
      m{a="C:\Windows\new\\x\"",b="1"} 1
      m{a="\q",b="2"} 2

      """#
    let samples = PrometheusText(text).samples
    #expect(samples.map { $0.labels["a"] } == ["C:\\Windows\new\\x\"", "\\q"])
  }

  @Test(arguments: [
    ("OK | 'CPU Utilization' = 11.11%;10.0;20.0 b=3", ["CPU Utilization", "b"]),
    ("OK | 'a b' =1 'c'= 2", ["a b", "c"]), ("OK | \"a b\"=5;1;2 c=3", ["a b", "c"]),
    ("OK | 'a b=5 c=6", ["b", "c"]), ("OK | 'a b c", []), ("OK | it's=1 'b'=2", ["it's", "b"]),
    ("OK | 'a' 'b'=1 c = 5", ["b"]), ("OK | 'a'=", []), ("OK | 'a' = ", []),
  ])
  func `of Nagios has blanks around a sign, and quotes without an end`(
    output: String,
    labels: [String]
  ) {
    #expect(NagiosOutput(output).data.map(\.label) == labels)
  }

  @Test func `of Nagios has a value that is none`() {
    var script = PrintedScript(.nagios)
    let content = script.run("OK | a=nan b=-NaN% c=inf;1;2 d=5 e=nano\n")
    #expect(content.rows(20).dropFirst() == ["a  unknown", "b  unknown", "c  unknown", "d  5"])
  }

  @Test(arguments: [
    "{\"text\":\"hi\"}}", "{\"text\":\"hi\"} junk", "{\"text\":\"hi\"}{\"text\":\"no\"}",
    "{'text':'hi'},", "{\"text\":\"hi\",\"tooltip\":\"hi\",\"class\":[\"}\"]}]",
  ])
  func `of Waybar can have anything behind its object`(line: String) {
    var script = PrintedScript(.waybar, ["output": "json"])
    #expect(script.run(line + "\n").rows() == ["hi"])
  }

  @Test func `of Waybar is no object without its end`() {
    for line in ["{\"text\":\"hi\"", "{\"text\":\"hi}", "{text} {\"text\":\"hi\"}"] {
      var script = PrintedScript(.waybar, ["output": "json"])
      #expect(script.run(line).failure?.hasPrefix("not JSON") == true, "\(line)")
    }
  }

  @Test func `in JSON has colours and control characters`() throws {
    for text in [
      "\u{1B}[1;39m{\u{1B}[0m\u{1B}[34;1m\"a\"\u{1B}[0m:\u{1B}[0;32m\"x\"\u{1B}[0m}\u{1B}[K",
      "\u{1B}[32m{\"a\":\"x\"}",
    ] {
      var script = PrintedScript(.json, ["template": "is {a}"])
      #expect(script.run(text).rows() == ["is x"])
    }
    let lines = Array("{\"a\": \"x\ty\"}\n{\"a\": \"1\u{1}2\"}".utf8)
    #expect(try JSONTree(printed: lines).items?.map { $0["a"]?.string } == ["x\ty", "1\u{1}2"])
  }

  @Test(arguments: ["1e400", "-1E400", "1.5e400"])
  func `in JSON has the digits of a number that is too large`(number: String) {
    var script = PrintedScript(.json, ["template": "{a}"])
    #expect(script.run("{\"a\": \(number)}").rows() == [number])
  }

  @Test func `in UTF-16 is read where its mark says so, however it is cut`() {
    let units = Array("\u{FEFF}m 5 é 😀\r\n".utf16)
    for isLittle in [true, false] {
      let all = units.flatMap {
        isLittle ? [UInt8($0 & 255), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 255)]
      }
      for cut in 1...all.count {
        var mark = ByteOrderMark()
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: all.count, by: cut) {
          bytes += mark.rest(of: Array(all[start..<min(all.count, start + cut)])) ?? []
        }
        #expect(bytes == Array("m 5 é 😀\r\n".utf8), "\(cut)")
      }
    }
  }
}
