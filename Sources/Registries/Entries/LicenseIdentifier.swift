import WidgetKitCore

/// An expression of SPDX for a licence: `MIT`, `Apache-2.0 OR MIT` (SPDX Specification 2.3, annex D).
package enum LicenseIdentifier {
  /// The identifiers that most licences have, for a name that is written otherwise.
  private static let common = [
    "0BSD", "AFL-3.0", "AGPL-3.0-only", "AGPL-3.0-or-later", "Apache-2.0", "Artistic-2.0",
    "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC-BY-4.0", "CC-BY-SA-4.0", "CC0-1.0",
    "EUPL-1.2", "GPL-2.0-only", "GPL-2.0-or-later", "GPL-3.0-only", "GPL-3.0-or-later", "ISC",
    "LGPL-2.1-only", "LGPL-2.1-or-later", "LGPL-3.0-only", "LGPL-3.0-or-later", "MIT", "MIT-0",
    "MPL-2.0", "Unlicense", "WTFPL", "Zlib",
  ]

  /// What is wrong with the form of an expression; nil if it can be one.
  ///
  /// The list of SPDX grows, so that an identifier that is not known here is taken.
  package static func fault(_ text: String) -> String? {
    let tokens = text.replacing("(", with: " ( ").replacing(")", with: " ) ").split(separator: " ")
    var depth = 0
    var expectsName = true
    for token in tokens {
      switch token {
      case "(" where expectsName: depth += 1
      case ")" where !expectsName && depth > 0: depth -= 1
      case "AND" where !expectsName, "OR" where !expectsName, "WITH" where !expectsName:
        expectsName = true
      case _ where expectsName && isName(token): expectsName = false
      default: return fault(in: text)
      }
    }
    return expectsName || depth > 0 ? fault(in: text) : nil
  }

  private static func fault(in text: String) -> String {
    let words = text.split(separator: " ").filter {
      !["license", "licence", "the"].contains($0.lowercased())
    }
    let near = NearName.nearest(to: words.joined(separator: "-"), among: common)
    let nearest = near.map { "; did you mean \($0)?" }
    return "“\(SafeText(text).onOneLine)” is no identifier of SPDX, such as MIT or "
      + "Apache-2.0\(nearest ?? "")"
  }

  /// Letters, digits, points and hyphens, with a plus sign for later versions, or a reference to a text.
  private static func isName(_ token: Substring) -> Bool {
    let name = token.hasSuffix("+") ? token.dropLast() : token
    guard !["AND", "OR", "WITH", "(", ")"].contains(name), !name.isEmpty else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: ":"):
        true
      default: false
      }
    }
  }
}
