import WidgetCards
import WidgetKitCore

/// Pictures by the graphics protocol of kitty: each is sent once, and characters stand for its cells, so
/// that it is clipped and moves like text.
struct KittyImages {
  private struct Transfer {
    var copy: ImageCopy
    var id: UInt32
    /// The rest of the file, in Base64.
    var rest: ArraySlice<UInt8>
    var isBegun = false
  }

  /// The numbers of the pictures that the terminal has.
  private var sent: [ImageCopy: UInt32] = [:]
  private var transfers: [Transfer] = []
  private var nextID = UInt32.random(in: 0x40_0000...0xE0_0000)

  /// The longest part of a file in one sequence.
  private static let partBytes = 4_096
  /// How much is sent with one frame, so that keys do not wait behind a picture on a slow line.
  private static let frameBytes = 64 * 1_024

  /// Whether the terminal has pictures.
  var hasImages: Bool { !sent.isEmpty || !transfers.isEmpty }
  /// Whether pictures are not sent completely.
  var isSending: Bool { !transfers.isEmpty }

  /// Whether the terminal has the whole picture.
  func isSent(_ copy: ImageCopy) -> Bool { sent[copy] != nil }

  /// Sends the pictures that the terminal does not have, a part with each frame, and removes those that
  /// are not drawn any more.
  mutating func send(
    _ wanted: Set<ImageCopy>,
    _ images: DrawnImages,
    _ theme: Theme
  ) -> [UInt8] {
    var text = ""
    for (copy, id) in sent where images[copy.drawing] == nil {
      text += Self.removal(id)
      sent[copy] = nil
    }
    // A picture that has left the screen is sent to its end, so that its sequences are whole.
    transfers.removeAll { !$0.isBegun && !wanted.contains($0.copy) }
    for copy in wanted where !isSent(copy) {
      guard !transfers.contains(where: { $0.copy == copy }),
        case .pixels(let pixels)? = images[copy.drawing]
      else { continue }
      let shaded = ImageShade(copy.tone, theme)?.pixels(pixels) ?? pixels
      let file = Base64.text(of: PNGFile.bytes(of: shaded))
      transfers.append(Transfer(copy: copy, id: nextID, rest: Array(file.utf8)[...]))
      nextID = nextID < 0xFF_FFFF ? nextID + 1 : 0x40_0000
    }
    var bytes = Array(text.utf8)
    while bytes.count < Self.frameBytes, !transfers.isEmpty {
      bytes += nextPart()
      if transfers[0].rest.isEmpty {
        let done = transfers.removeFirst()
        sent[done.copy] = done.id
      }
    }
    return bytes
  }

  /// The next part of the first picture.
  private mutating func nextPart() -> [UInt8] {
    var transfer = transfers[0]
    let part = transfer.rest.prefix(Self.partBytes)
    transfer.rest = transfer.rest.dropFirst(part.count)
    let more = transfer.rest.isEmpty ? 0 : 1
    let size = transfer.copy.drawing.size
    // A PNG file (f), of which nothing is reported (q), with a placement for characters (U).
    let head =
      transfer.isBegun
      ? "q=2,m=\(more)"
      : "a=T,U=1,q=2,f=100,t=d,i=\(transfer.id),c=\(size.columns),r=\(size.rows),m=\(more)"
    transfer.isBegun = true
    transfers[0] = transfer
    return Array("\u{1B}_G\(head);".utf8) + part + Array("\u{1B}\\".utf8)
  }

  /// The characters of cells, whose indices are in order; the cursor stays as ncurses knows it.
  func cells(_ indices: [Int], _ wanted: [Int: ImageSpot], columns: Int) -> [UInt8] {
    guard !indices.isEmpty else { return [] }
    var text = ""
    var previous: Int?
    var color: UInt32?
    for index in indices {
      guard let spot = wanted[index], let id = sent[spot.copy] else { continue }
      if previous.map({ index != $0 + 1 || index % columns == 0 }) ?? true {
        text += "\u{1B}[\(index / columns + 1);\(index % columns + 1)H"
      }
      if color != id {
        text += "\u{1B}[0;38;2;\(id >> 16 & 255);\(id >> 8 & 255);\(id & 255)m"
        color = id
      }
      text += Self.placeholder(spot.cell.place)
      previous = index
    }
    return Array("\u{1B}7\(text)\u{1B}[0m\u{1B}8".utf8)
  }

  /// The character that stands for a cell.
  private static func placeholder(_ place: Position) -> String {
    let marks = PlaceholderMarks.all
    guard marks.indices.contains(place.row), marks.indices.contains(place.column) else {
      return " "
    }
    var text = String.UnicodeScalarView()
    text.append("\u{10EEEE}")
    text.append(marks[place.row])
    text.append(marks[place.column])
    return String(text)
  }

  /// Removes all pictures from the terminal, which must have taken what was sent.
  mutating func removeAll() -> [UInt8] {
    var text = sent.values.sorted().map(Self.removal).joined()
    for transfer in transfers where transfer.isBegun {
      text += "\u{1B}_Gq=2,m=0;\u{1B}\\" + Self.removal(transfer.id)
    }
    sent = [:]
    transfers = []
    return Array(text.utf8)
  }

  private static func removal(_ id: UInt32) -> String { "\u{1B}_Ga=d,d=I,i=\(id),q=2\u{1B}\\" }
}
