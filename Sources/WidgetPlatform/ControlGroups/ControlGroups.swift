import CPlatform
import Glibc

/// The control groups of this program: one for itself, and one for each run of a widget.
///
/// With them the kernel limits memory and processes at any time and not only when they are measured, counts
/// without a scan of all processes, and suspends and kills also what has left the other ways in which a run is
/// recognized. They need a group that is this program's alone and may be divided: that of a service or a scope of
/// systemd with delegation.
///
/// ```
/// GROUP/host        this program and its guardian
/// GROUP/widgets/1   a run of a widget
/// ```
///
/// This is a class because the whole program shares one; a process is in one group.
@MainActor public final class ControlGroups {
  /// What can be limited and counted.
  enum Controller: String, CaseIterable, Sendable {
    case memory
    case processes = "pids"
    case processor = "cpu"

    fileprivate var words: String {
      switch self {
      case .memory: "memory"
      case .processes: "processes"
      case .processor: "processor time"
      }
    }
  }

  /// Those of this program; nil where there are none, and before they were looked for.
  static private(set) var current: ControlGroups?
  /// Why there are none, in words that follow “as”.
  static private(set) var obstacle = "they were not looked for"

  /// What widgets have of them, in words that follow “control groups: ”.
  public static var words: String {
    guard let current else { return "none, as \(obstacle)" }
    let names = Controller.allCases.filter(current.controllers.contains).map(\.words)
    return names.isEmpty
      ? "for suspending and ending" : "for \(names.joined(separator: ", ")), suspending and ending"
  }

  /// Whether widgets have control groups.
  public static var areUsed: Bool { current != nil }

  /// The folder in which those of the widgets are.
  private let folder: String
  /// What is limited and counted.
  let controllers: Set<Controller>
  private var count = 0
  /// Those whose last processes were ending when they were to be removed.
  private var ending: [ControlGroup] = []

  /// How much of a busy processor the program gets beside all widgets together, whose share is 100.
  private static let ownShare = 500

  /// Divides a group in which nothing but this program is.
  ///
  /// - Parameter place: The group; it stays the program's.
  /// - Throws: ``Obstacle`` if it may not be divided.
  init(dividing place: ControlGroupPlace) throws(Obstacle) {
    let own = place.folder + "/host"
    folder = place.folder + "/widgets"
    for path in [own, folder] {
      guard unsafe mkdir(path, 0o755) == 0 || errno == EEXIST else {
        throw Obstacle("\(place.folder) is not this user's (\(Self.words(errno)))")
      }
    }
    // A group with processes cannot pass controllers on (“no internal processes”).
    for process in place.processes {
      let error = ControlGroupFile.write("\(process)", to: own + "/cgroup.procs")
      // A process may have ended.
      guard error == 0 || error == ESRCH else {
        throw Obstacle("processes cannot be moved to \(own) (\(Self.words(error)))")
      }
    }
    // Each by itself, as one that is missing would refuse all.
    for controller in Controller.allCases {
      for path in [place.folder, folder] {
        ControlGroupFile.write("+\(controller.rawValue)", to: path + "/cgroup.subtree_control")
      }
    }
    let passedOn = ControlGroupFile.words(folder + "/cgroup.subtree_control")
    controllers = Set(passedOn.compactMap(Controller.init(rawValue:)))
    ControlGroupFile.write("\(Self.ownShare)", to: own + "/cpu.weight")
  }

  /// Why there are no control groups, in words that follow “as”.
  struct Obstacle: Error {
    let words: String

    init(_ words: String) { self.words = words }
  }

  private static func words(_ error: Int32) -> String { unsafe String(cString: strerror(error)) }

  // MARK: - Those of this program

  /// Divides the group of this program, if nothing else is in it.
  ///
  /// - Returns: Whether widgets have control groups from now on.
  @discardableResult
  public static func divideOwn() -> Bool {
    guard current == nil else { return true }
    guard let place = ControlGroupPlace.own() else {
      obstacle = "this system has none (cgroups, version 2)"
      return false
    }
    guard isAlone(in: place) else {
      obstacle = "other programs are in the group of this one"
      return false
    }
    return adopt(place)
  }

  /// Divides a group for the widgets of this program.
  static func adopt(_ place: ControlGroupPlace) -> Bool {
    do throws(Obstacle) {
      let groups = try ControlGroups(dividing: place)
      let kill = unsafe open(groups.folder + "/cgroup.kill", O_WRONLY | O_CLOEXEC)
      // It stays open as long as the program runs.
      if kill >= 0 { platform_guardian_hold_group(kill) }
      current = groups
      obstacle = ""
      return true
    } catch {
      obstacle = error.words
      return false
    }
  }

  /// Notes why there are none.
  static func note(_ obstacle: String) {
    self.obstacle = obstacle
  }

  /// Whether a group has no processes but this program and its children, such as the guardian.
  private static func isAlone(in place: ControlGroupPlace) -> Bool {
    place.processes.allSatisfy { process in
      // The guardian is a child, and has one itself.
      let above = parent(of: process)
      return process == getpid() || above == getpid() || above.flatMap(parent) == getpid()
    }
  }

  private static func parent(of process: Int32) -> Int32? {
    let text = ProcFile.text("/proc/\(process)/stat") ?? ""
    guard let end = text.lastIndex(of: ")") else { return nil }
    // The state and the parent follow the name.
    let fields = text[text.index(after: end)...].split(separator: " ")
    return fields.count > 1 ? Int32(fields[1]) : nil
  }

  // MARK: - Those of widgets

  /// Makes one for a run; nil if the system refuses it.
  func make(_ limits: ControlGroup.Limits) -> ControlGroup? {
    ending.removeAll { $0.remove() }
    count += 1
    let group = ControlGroup(folder: "\(folder)/\(count)", controllers: controllers)
    guard unsafe mkdir(group.folder, 0o755) == 0 else { return nil }
    group.set(limits)
    return group
  }

  /// Kills what is left of a run, and removes its group.
  func end(_ group: ControlGroup) {
    group.kill()
    if !group.remove() { ending.append(group) }
  }
}
