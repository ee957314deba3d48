import FoundationEssentials
import Glibc
import WidgetKitCore
import WidgetPlatform

/// Where a widget may have the files of its pictures.
nonisolated struct ImagePlaces: Hashable, Sendable {
  /// The folder of the bundle; nil before the bundles were read.
  var bundle: String?
  /// The folders that the widget may write to.
  var containers: Containers

  /// The folders, in the order in which a relative path is looked for.
  fileprivate var folders: [String] {
    [bundle, containers.data, containers.cache].compactMap(\.self)
      + containers.groups.values.sorted()
  }
}

/// An open file of a picture.
///
/// The path is a widget's, and so is what is there: each folder is opened relative to the one above it,
/// links are not followed, nothing blocks, and only regular files are read.
nonisolated struct ImageFile: ~Copyable {
  private let descriptor: Descriptor
  /// Which file it is, and in which state.
  let identity: FileIdentity
  private let size: Int

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: Its path, relative to one of the places, or absolute and below one of them.
  ///   - places: The folders of the widget.
  ///   - byteLimit: The most bytes that it may have.
  /// - Throws: Why it is not read.
  init(
    _ path: String,
    in places: ImagePlaces,
    byteLimit: Int = ImageLimits().fileBytes
  ) throws(ImageFault) {
    let descriptor = try Self.open(path, in: places)
    guard let status = descriptor.status() else { throw .system(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .noFile }
    guard status.st_size <= byteLimit else { throw .tooLong(status.st_size, limit: byteLimit) }
    identity = FileIdentity(status)
    size = status.st_size
    self.descriptor = descriptor
  }

  /// The header; read a part at a time, since most are at the very beginning.
  func header() throws(ImageFault) -> ImageHeader {
    for count in [512, ImageLimits.headerBytes] {
      if let header = ImageHeader(descriptor.read(min(count, size))) { return header }
    }
    throw .unknownFormat
  }

  /// All bytes.
  func bytes() throws(ImageFault) -> [UInt8] {
    let bytes = descriptor.read(size)
    guard bytes.count == size, let status = descriptor.status(), FileIdentity(status) == identity
    else { throw .changed }
    return bytes
  }

  private static func open(_ path: String, in places: ImagePlaces) throws(ImageFault) -> Descriptor
  {
    var fault = ImageFault.absent
    for (folder, rest) in try candidates(path, in: places) {
      let opened = open(rest, below: folder)
      if opened >= 0 { return Descriptor(opened) }
      switch errno {
      case ENOENT,
        ENOTDIR where fault == .absent:
        continue
      case ELOOP: fault = .link
      case ENXIO: fault = .noFile
      default: fault = .system(errno)
      }
    }
    throw fault
  }

  /// The folders in which a path is looked for, each with the names below it.
  private static func candidates(
    _ path: String,
    in places: ImagePlaces
  ) throws(ImageFault) -> [(String, [String])] {
    let names = { (text: Substring) in
      text.split(separator: "/").filter { $0 != "." }.map(String.init)
    }
    guard !path.utf8.contains(0), path.utf8.count < Int(PATH_MAX) else { throw .outside }
    var found: [(String, [String])] = []
    if path.hasPrefix("/") {
      found = places.folders.filter { path.hasPrefix("\($0)/") }
        .map { ($0, names(path.dropFirst($0.count))) }
    } else {
      found = places.folders.map { ($0, names(path[...])) }
    }
    guard let parts = found.first?.1, !found.contains(where: { $0.1.contains("..") }) else {
      throw .outside
    }
    guard !parts.isEmpty else { throw .noFile }
    return found
  }

  /// Opens the file at the end of `names`; returns −1 and sets errno if that is impossible.
  private static func open(_ names: [String], below folder: String) -> Int32 {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    var place = unsafe Glibc.open(folder, flags | O_DIRECTORY)
    for (index, name) in names.enumerated() where place >= 0 {
      let isLast = index == names.count - 1
      let next = unsafe openat(place, name, flags | O_NOFOLLOW | (isLast ? 0 : O_DIRECTORY))
      // A link where a folder is expected.
      let isLink = next < 0 && errno == ENOTDIR && Self.isLink(name, in: place)
      let fault = isLink ? ELOOP : errno
      close(place)
      errno = fault
      place = next
    }
    return place
  }

  private static func isLink(_ name: String, in folder: Int32) -> Bool {
    var status = stat()
    return unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0
      && status.st_mode & S_IFMT == S_IFLNK
  }
}

/// The file of a picture: on the disk, or a part of the view.
nonisolated struct ImageOrigin: Hashable, Sendable {
  var source: ImageSource
  var places: ImagePlaces

  /// What distinguishes the content from any other.
  enum Content: Hashable, Sendable {
    case file(FileIdentity)
    case data(String)
  }

  /// Reads the file, which must have the content that it had before.
  func bytes(of content: Content, byteLimit: Int) throws(ImageFault) -> [UInt8] {
    switch source {
    case .data(let text): return try Self.bytes(text, byteLimit: byteLimit)
    case .path(let path):
      let file = try ImageFile(path, in: places, byteLimit: byteLimit)
      guard content == .file(file.identity) else { throw .changed }
      return try file.bytes()
    }
  }

  /// Decodes a picture that is a part of the view.
  static func bytes(
    _ text: String,
    byteLimit: Int = ImageLimits().fileBytes
  ) throws(ImageFault) -> [UInt8] {
    guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
      throw .badBase64
    }
    guard data.count <= byteLimit else { throw .tooLong(data.count, limit: byteLimit) }
    return Array(data)
  }
}
