import CPlatform
import FoundationEssentials
import Glibc
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// The file by which those who look at a page for everybody, and the engine that runs its widgets, know of each other.
///
/// Each has locked a byte of it as long as it lives, however that ends: byte 0 is that of the engine, byte 1 says that
/// its widgets have been updated once, and behind them is a byte for each viewer.
nonisolated struct PublicPage {
  /// How many people may look at a page if nothing else is said, and at most.
  static let usualViewers = 200
  static let mostViewers = 10_000

  /// The descriptor of the file in the engine.
  static let engineFile: Int32 = 3
  private static let readyByte = 1
  private static let firstViewer = 16

  /// The path of the file.
  let path: String
  /// The path of the file with which the engine wakes those who look; they can only read it.
  var bell: String { "\(path).bell" }

  /// The file of a page, in the folder of the program that other users cannot open.
  init(_ page: PageName, _ folders: StateFolders) {
    path = "\(folders.runtime)/public/\(String(StableHash.value(of: page.rawValue), radix: 36))"
  }

  /// Takes a place among those who look at the page, as long as this process lives.
  ///
  /// - Returns: The descriptor of the file, which stays open; nil if all places are taken.
  /// - Throws: ``FileFault`` if the file cannot be used.
  func enter(limit: Int) throws(FileFault) -> Int32? {
    let parts = OwnPath.split(path)
    let file = try OwnFolder.open(parts.folder, makes: true).file(parts.name, O_RDWR | O_CREAT)
    for number in 0..<limit {
      switch platform_lock_byte(file.number, Self.lockPlace(ofByte: Self.firstViewer + number)) {
      case 0:
        // The same opening of the file, which has the lock.
        let kept = fcntl(file.number, F_DUPFD_CLOEXEC, 0)
        guard kept >= 0 else { throw .system(errno) }
        return kept
      case EAGAIN, EACCES: continue
      case let code: throw .system(code)
      }
    }
    return nil
  }

  /// Whether the engine has updated the widgets once.
  static func isReady(_ file: Int32) -> Bool {
    platform_byte_is_locked(file, lockPlace(ofByte: readyByte)) != 0
  }

  /// Calls `work` whenever the engine has stored something; nil if that cannot be known, with the reason in `errno`.
  @MainActor func changes(_ work: @escaping () -> Void) -> DescriptorWatch? {
    let event = unsafe platform_bell_listen(bell)
    guard event >= 0 else { return nil }
    let watch = DescriptorWatch(event, for: .reading) {
      var count: UInt64 = 0
      _ = unsafe read(event, &count, MemoryLayout<UInt64>.size)
      work()
    }
    watch.resume()
    return watch
  }

  /// Tells all who look at the page that the engine has stored something.
  func tellChange() { unsafe platform_bell_ring(bell) }

  /// The engine has updated the widgets once.
  static func becomeReady() {
    _ = platform_lock_byte(engineFile, lockPlace(ofByte: readyByte))
  }

  /// Whether somebody looks at the page, as the engine sees it.
  static func hasViewers() -> Bool {
    platform_bytes_are_locked(engineFile, Int64(firstViewer), Int64(mostViewers)) != 0
  }

  /// A byte as the functions of C have it, which leave out the lowest bits.
  private static func lockPlace(ofByte byte: Int) -> UInt64 { UInt64(byte) << 2 }

  /// Sees to it that an engine runs from now on, as long as this process lives.
  ///
  /// - Throws: ``HostError`` if there is no process for that.
  @MainActor func standBy(for page: PageName, environment: [String: String]) throws(HostError) {
    let executable = HostProcess.executablePath()
    let words = [executable, ServePublicCommand.name, "--", page.rawValue]
    let variables = environment.map { "\($0.key)=\($0.value)" }
    let process = unsafe HostProcess.withPointers(to: [path, bell, executable]) { paths in
      unsafe HostProcess.withPointers(to: words) { words in
        unsafe HostProcess.withPointers(to: variables) { variables in
          guard let lock = unsafe paths[0], let bell = unsafe paths[1],
            let program = unsafe paths[2]
          else { return pid_t(-1) }
          var standby = unsafe platform_standby_program(
            lock: lock,
            bell: bell,
            path: program,
            arguments: words,
            environment: variables
          )
          return unsafe platform_stand_by(&standby)
        }
      }
    }
    guard process > 0 else { throw .launch(executable, errno) }
  }
}
