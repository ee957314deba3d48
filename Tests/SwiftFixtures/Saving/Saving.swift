import Dispatch
import FoundationEssentials
import Synchronization
import WidgetKitCore

/// Well-behaved: saves in an expiring activity when its view disappears, with blocking code.
///
/// Messages and actions are written to `story` in its container, a line each. With
/// TODAY_TEST_ACTIVITY `long`, the work only ends when it is cancelled, else by itself.
@main struct Saving: Widget {
  var body: some View {
    Text("saving")
  }

  func viewWillDisappear() async {
    let story = Story(path: extensionContext.containers.data + "/story")
    let isLong = ProcessInfo.processInfo.environment["TODAY_TEST_ACTIVITY"] == "long"
    let cancelled = DispatchSemaphore(value: 0)
    extensionContext.performExpiringActivity(withReason: "save") { expired in
      story.add("called with \(expired)")
      if expired {
        cancelled.signal()
      } else {
        if isLong { cancelled.wait() }
        story.add("returned")
      }
    }
  }
}

/// Lines in a file, from any thread.
private final class Story: Sendable {
  private let lines = Mutex<[String]>([])
  private let path: String

  init(path: String) {
    self.path = path
  }

  func add(_ line: String) {
    lines.withLock { lines in
      lines.append(line)
      let text = lines.joined(separator: "\n")
      try? Data(text.utf8).write(to: URL(filePath: path))
    }
  }
}
