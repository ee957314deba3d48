import Testing

@testable import CalendarFormats

/// Character sets and forms of old files.
struct ForeignTextTests {
  private func summary(_ bytes: [UInt8]) -> String? {
    let file =
      Array("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20261120\r\n".utf8) + bytes
      + Array("\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n".utf8)
    return CalendarFile(parsing: file).events.first?.summary
  }

  @Test func `bytes that are not UTF-8 are windows-1252`() {
    #expect(
      summary(Array("SUMMARY:B".utf8) + [0xFC] + Array("ro ".utf8) + [0x80, 0x96]) == "Büro €–"
    )
    #expect(summary(Array("SUMMARY:Büro".utf8)) == "Büro")
    #expect(summary(Array("SUMMARY:".utf8) + [0x81]) == "\u{81}")
  }

  @Test func `quoted-printable text of vCalendar 1 is read in its character set`() {
    let quoted = "SUMMARY;ENCODING=QUOTED-PRINTABLE"
    #expect(summary(Array("\(quoted);CHARSET=UTF-8:B=C3=BCro".utf8)) == "Büro")
    #expect(summary(Array("\(quoted):B=FCro".utf8)) == "Büro")
    #expect(
      summary(Array("\(quoted);CHARSET=ISO-8859-1:B=FC=\r\nro und=\r\n mehr".utf8))
        == "Büro undmehr"
    )
    #expect(summary(Array("SUMMARY;QUOTED-PRINTABLE:a=0D=0Ab=ZZ".utf8)) == "a b=ZZ")
    #expect(summary(Array("SUMMARY;CHARSET=KOI8-R:".utf8) + [0xF2]) == "Р")
    #expect(summary(Array("SUMMARY;CHARSET=NONE:".utf8) + [0xFC]) == "ü")
  }

  @Test func `a file of UTF-16 is read`() {
    let text =
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261120\nSUMMARY:Büro\nEND:VEVENT\nEND:VCALENDAR"
    var little: [UInt8] = [0xFF, 0xFE]
    var big: [UInt8] = [0xFE, 0xFF]
    for unit in text.utf16 {
      little += [UInt8(unit & 0xFF), UInt8(unit >> 8)]
      big += [UInt8(unit >> 8), UInt8(unit & 0xFF)]
    }
    for bytes in [little, big, little + [0]] {
      #expect(CalendarFile(parsing: bytes).events.map(\.summary) == ["Büro"])
    }
  }
}
