import FoundationEssentials
import Glibc

/// The files to which a test writes its traces: one for each page, as each has a clock and folders of its own.
///
/// For `--trace fault.trace` they are `fault-1-start.trace`, `fault-2-changes.trace` and so on. A pipe or a device gets
/// all of them.
///
/// A class because all pages of a test count on.
@MainActor package final class TraceSeries {
  private let path: String
  private var count = 0
  /// The files that no report has named yet.
  private var unnamed: [String] = []

  /// Begins a series.
  ///
  /// - Parameter path: The file after which those of the pages are named.
  package init(_ path: String) {
    self.path = path
  }

  /// The file of the next page.
  ///
  /// - Parameter part: What the page is for: `start`.
  /// - Returns: Its path.
  func next(_ part: String) -> String {
    count += 1
    var status = stat()
    let isThere = unsafe stat(path, &status) == 0
    if path.hasPrefix("/dev/") || isThere && status.st_mode & S_IFMT != S_IFREG { return path }
    var components = path.split(separator: "/", omittingEmptySubsequences: false)
    let name = components.popLast() ?? ""
    let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
    let word = part.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "-" }
    components.append("\(name[..<dot])-\(count)-\(String(word))\(name[dot...])")
    let file = components.joined(separator: "/")
    unnamed.append(file)
    return file
  }

  /// Names the files in a report that were written since it was called last.
  func name(in report: inout TestReport) {
    for file in unnamed { report.remark("the trace of these checks: \(file)") }
    unnamed = []
  }
}
