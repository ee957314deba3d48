import FoundationEssentials
import Glibc
import Notices
import WidgetPlatform

/// The letters by which a person names notices that wait, as their numbers grow with every change of any of them.
///
/// A notice keeps its letter as long as it waits, also when a later one with its tag takes its place. A letter that is
/// free again is the last to be given again. They are in `notices/letters` in the state folder: after the version and
/// the letter that is next, a line for each with the notice.
struct NoticeLetters {
  /// The letters of notices, as numbers from 0.
  private var codes: [String: Int] = [:]
  /// Where the search for the next one begins.
  private var next = 0

  private static let fileName = "letters"
  private static let byteLimit = 64 << 10
  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz")
  /// One letter, then two.
  private static let codeCount = 26 + 26 * 26
  /// The most notices that have one, so that enough are free.
  private static let noticeLimit = 500

  /// The letters of the notices that wait, by number; those that had none get one.
  ///
  /// - Parameters:
  ///   - list: All notices.
  ///   - store: The store that they are of.
  /// - Returns: The letters; only those that there were if they cannot be stored.
  static func letters(of list: NoticeList, in store: NoticeStore) -> [Int: String] {
    let keys = keys(of: list)
    var letters = NoticeLetters(store)
    if letters.isDue(keys) {
      letters = (try? assign(keys, in: store)) ?? letters
    }
    return keys.reduce(into: [:]) { found, pair in
      found[pair.id] = letters.codes[pair.key].map(text)
    }
  }

  /// The number of the notice that waits and has some letters; nil if there is none.
  static func notice(_ word: String, in list: NoticeList, of store: NoticeStore) -> Int? {
    let letters = NoticeLetters(store)
    return keys(of: list).first { letters.codes[$0.key].map(text) == word }?.id
  }

  /// Whether a word can be the letters of a notice.
  static func areLetters(_ word: String) -> Bool {
    1...2 ~= word.count && word.allSatisfy(alphabet.contains)
  }

  // MARK: -

  /// What identifies the notices that wait, the oldest first.
  private static func keys(of list: NoticeList) -> [(id: Int, key: String)] {
    list.entries.filter { $0.state == .waiting }.suffix(noticeLimit).map { entry in
      let content = list.notice(entry)?.content
      guard let content, let tag = content.tag else {
        return (entry.id, "\(list.journal ?? 0)-\(entry.id)")
      }
      let name = [content.host ?? "", content.application, tag].joined(separator: "\0")
      return (entry.id, "t\(StableHash.value(of: name))")
    }
  }

  private func isDue(_ keys: [(id: Int, key: String)]) -> Bool {
    keys.contains { codes[$0.key] == nil } || codes.count > 2 * keys.count + 26
  }

  private static func assign(
    _ keys: [(id: Int, key: String)],
    in store: NoticeStore
  ) throws(HostError) -> NoticeLetters {
    try OwnFolder.whileLocked(store.folder, of: "notices", patience: .milliseconds(200)) {
      folder throws(HostError) in
      var letters = NoticeLetters(store)
      letters.assign(keys.map(\.key))
      do throws(FileFault) {
        try folder.replace(fileName, with: letters.bytes, waitsForDisk: false)
      } catch {
        throw .file("write", "\(store.folder)/\(fileName)", error)
      }
      return letters
    }
  }

  /// Forgets notices that no longer wait, and gives letters to those without.
  private mutating func assign(_ keys: [String]) {
    let waiting = Set(keys)
    codes = codes.filter { waiting.contains($0.key) }
    var used = Set(codes.values)
    for key in keys where codes[key] == nil {
      // Two letters come only when all single ones are used.
      let (before, after) = (0..<next, next..<26)
      let single = after.first { !used.contains($0) } ?? before.first { !used.contains($0) }
      guard let code = single ?? (26..<Self.codeCount).first(where: { !used.contains($0) }) else {
        return
      }
      codes[key] = code
      used.insert(code)
      if code < 26 { next = (code + 1) % 26 }
    }
  }

  private static func text(_ code: Int) -> String {
    guard code >= 26 else { return String(alphabet[code]) }
    let pair = code - 26
    return String([alphabet[pair / 26], alphabet[pair % 26]])
  }

  // MARK: - The file

  /// Reads the file; one that is not there or damaged has no letters.
  private init(_ store: NoticeStore) {
    let path = "\(store.folder)/\(Self.fileName)"
    guard let bytes = DurableFile.read(path, byteLimit: Self.byteLimit) else { return }
    var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")[...]
    let head = lines.popFirst()?.split(separator: " ")
    guard head?.count == 2, head?[0] == "1", let next = Int(head?[1] ?? ""), 0..<26 ~= next else {
      return
    }
    self.next = next
    for line in lines {
      let parts = line.split(separator: " ")
      guard parts.count == 2, let code = Int(parts[0]), 0..<Self.codeCount ~= code else { continue }
      codes[String(parts[1])] = code
    }
  }

  private var bytes: [UInt8] {
    let lines = codes.sorted { $0.value < $1.value }.map { "\($0.value) \($0.key)\n" }
    return Array(("1 \(next)\n" + lines.joined()).utf8)
  }
}
