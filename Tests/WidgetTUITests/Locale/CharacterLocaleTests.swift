import Testing

@testable import WidgetTUI

@Suite struct `The encoding of characters` {
  @Test(arguments: [
    [:], ["LANG": ""], ["LANG": "C.UTF-8"], ["LC_CTYPE": "UTF-8"], ["LANG": "xx_YY.UTF-8"],
    ["LC_ALL": "xx_YY.utf8@euro"], ["LANG": "C", "LC_ALL": "xx_YY.UTF-8"], ["LANG": "xx_YY"],
    ["LANG": "C", "LC_CTYPE": "C.UTF-8"], ["LC_ALL": "", "LANG": "C.utf8"],
  ])
  func `is UTF-8 unless the locale has another one, installed or not`(variables: [String: String]) {
    #expect(CharacterLocale(variables).isUTF8)
  }

  @Test(arguments: [
    ["LANG": "C"], ["LANG": "POSIX"], ["LC_ALL": "C", "LANG": "C.UTF-8"],
    ["LC_CTYPE": "xx_YY.ISO-8859-15@euro"], ["LANG": "xx_YY.KOI8-R", "LC_ALL": ""],
  ])
  func `is ASCII in a locale of another encoding`(variables: [String: String]) {
    #expect(!CharacterLocale(variables).isUTF8)
  }
}
