import ExtensionContent
import Glibc
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetRequests
import WidgetTesting

/// A share extension or an action that its author works on: its request begins again whenever a file is saved.
///
/// A class because it owns the present request, which a change of a file ends.
final class DevRequest {
  private let path: String
  /// The file with the content; nil for a content that the extension accepts.
  private let contentPath: String?
  private let options: CommonOptions
  private let build: DevBuild?
  private let output = RequestOutput()
  private var present: Present?
  private var hasChanged = false

  /// What a change of a file ends.
  private enum Present {
    case request(ExtensionRequest)
    case script(ScriptShare)
  }

  /// Prepares it.
  ///
  /// - Parameters:
  ///   - path: The bundle, or the script.
  ///   - contentPath: The file with the content; nil for a content that the extension accepts.
  ///   - options: What was given with the command.
  ///   - build: What makes its program; nil if nothing does.
  init(_ path: String, contentPath: String?, _ options: CommonOptions, build: DevBuild?) {
    (self.path, self.contentPath) = (path, contentPath)
    (self.options, self.build) = (options, build)
  }

  /// Begins requests, until a signal ends the program.
  func run() async -> Never {
    while true { await round() }
  }

  /// One request, and the wait for what begins the next one.
  ///
  /// Not inlined: the optimizer of Swift 6.3 works without end on these calls in a loop that does not end.
  @inline(never) private func round() async {
    let files = BundleFiles([path] + [contentPath, build?.folder].compactMap(\.self))
    // It keeps the request, which runs until the program ends: nothing else needs it after the call.
    let watch = Task {
      _ = await files.change()
      if !Task.isCancelled { filesDidChange() }
    }
    hasChanged = false
    do throws(CommandError) {
      try await make()
      try await request()
    } catch {
      StandardStreams.writeError(error.description)
    }
    if !hasChanged {
      let restart = isatty(STDIN_FILENO) == 1 ? "Enter begins again, " : ""
      StandardStreams.writeLine("# waiting for a change; \(restart)Ctrl-C ends")
      await pause(until: watch)
    }
    watch.cancel()
  }

  private func filesDidChange() {
    hasChanged = true
    switch present {
    case .request(let request): request.cancel()
    case .script(let share): share.cancel()
    case nil: break
    }
  }

  /// Waits until a file changes, or Enter is pressed.
  private func pause(until watch: Task<Void, Never>) async {
    // The shell's prompt does not stand behind “^C”.
    let interruption = Interruption {
      if isatty(STDOUT_FILENO) == 1 { StandardStreams.writeLine("") }
    }
    defer { withExtendedLifetime(interruption) {} }
    var input: DescriptorWatch?
    // A program in the background is stopped when it reads the terminal.
    func isInForeground() -> Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }
    if isatty(STDIN_FILENO) == 1, isInForeground() {
      input = DescriptorWatch(STDIN_FILENO, for: .reading) {
        guard isInForeground() else { return }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
        if count == 0 || bytes.prefix(max(0, count)).contains(UInt8(ascii: "\n")) { watch.cancel() }
      }
      input?.resume()
    }
    await watch.value
    input?.pause()
  }

  // MARK: - The program

  private func make() async throws(CommandError) {
    guard let build else { return }
    StandardStreams.writeLine("# building")
    let errors = await build.run(
      environment: options.environment,
      check: { _ in nil },
      onProgress: { _ in }
    )
    guard errors.isEmpty else { throw .failure(errors.joined(separator: "\n")) }
  }

  private func request() async throws(CommandError) {
    let found = try NamedBundles.extensions([path], environment: options.environment)
    guard case .content(let target, let table)? = found.first, found.count == 1 else {
      throw .usage("\(path): expected one share extension or action")
    }
    let (content, values) = try content(for: target, table)
    if case .refused(let words) = target.verdict(on: content.extensionItems(table), table) {
      StandardStreams.writeLine("# it would not be offered for this content: \(SafeText(words))")
    }
    let settings = options.readSettings()
    let needsPane = target.hasView || target.shares
    let pane =
      needsPane ? SharePane(environment: options.environment, settings: settings.screen) : nil
    guard pane != nil || !needsPane else {
      throw .unavailable("\(SharePane.obstacle(options.environment)) to show it on")
    }
    defer { pane?.close() }
    if target.script != nil {
      try await play(script: target, table, content, values, pane, settings)
    } else {
      try await play(bundle: target, table, content, values, pane, settings)
    }
  }

  private func content(
    for target: ContentExtension,
    _ table: TypeTable
  ) throws(CommandError) -> (HarnessContent, [String: String]) {
    if let contentPath {
      do throws(HarnessFailure) {
        let (content, options) = try HarnessContent.read(contentPath)
        return (content, options)
      } catch {
        throw .usage(error.description)
      }
    }
    guard let (name, content) = HarnessContent.sample(for: target, table) else {
      throw .usage("no content is known that it accepts; give one with --request FILE")
    }
    StandardStreams.writeLine("# with \(name); --request FILE gives another")
    return (content, [:])
  }

  // MARK: - Bundles

  private func play(
    bundle target: ContentExtension,
    _ table: TypeTable,
    _ content: HarnessContent,
    _ values: [String: String],
    _ pane: SharePane?,
    _ settings: Settings
  ) async throws(CommandError) {
    let folder = TemporaryFolder.path(options.environment)
    let trace = try TemporaryTrace(in: folder, named: options.tracePath)
    var own = options
    own.tracePath = trace.path
    let host = try own.requestHost(settings)
    let size = pane.map { RequestPane.size(of: target, on: $0) } ?? RequestHost.usualSize
    let given = try requestContent(content, table, in: folder)
    let request = try CommandError.from { () throws(HostError) in
      try host.request(target, given, size: size, options: values)
    }
    present = .request(request)
    pane?.onInterruption = { request.cancel() }
    let interruption = pane == nil ? Interruption { request.cancel() } : nil
    let preview = ContentPreview(
      content.extensionItems(table).flatMap(\.attachments),
      content.items.flatMap(\.self).map { Array($0.data.prefix(ContentSample.byteLimit)) },
      table,
      charset: .ofLocale
    )
    let shown = pane.map { RequestPane(request, on: $0, preview, text: nil) }
    let outcome = await withCheckedContinuation { continuation in
      request.onEnd = { continuation.resume(returning: $0) }
      shown?.open()
      request.start()
    }
    present = nil
    shown?.end()
    pane?.close()
    await host.finish([request])
    withExtendedLifetime(interruption) {}
    output.write(outcome)
    output.write(trace)
  }

  private func requestContent(
    _ content: HarnessContent,
    _ table: TypeTable,
    in folder: String
  ) throws(CommandError) -> RequestContent {
    do throws(HarnessFailure) {
      return try content.requestContent(table, in: folder)
    } catch {
      throw .failure(error.description)
    }
  }

  // MARK: - Scripts

  private func play(
    script target: ContentExtension,
    _ table: TypeTable,
    _ content: HarnessContent,
    _ values: [String: String],
    _ pane: SharePane?,
    _ settings: Settings
  ) async throws(CommandError) {
    let folder = TemporaryFolder.path(options.environment)
    var sources: [ActSource] = []
    for attachment in content.items.flatMap(\.self) {
      let spool = try CommandError.from { () throws(HostError) in
        let spool = try RequestSpool(in: folder)
        try spool.append(attachment.data)
        return spool
      }
      var source = ActSource(
        origin: .text,
        content: spool,
        name: attachment.suggestedName
      )
      source.declared = attachment.type.map { UniformType($0) }
      sources.append(source)
    }
    let shared = SharedContent(
      sources,
      SharedContent.Terms(table: table, folder: folder, byteLimit: settings.limits.requestBytes)
    )
    var values = values
    if let pane {
      let sheet = ScriptSheet.sheet(for: target, shared.preview(table, charset: nil), values)
      guard let posted = await pane.compose(sheet) else {
        return output.write("cancelled")
      }
      values = ScriptSheet.values(of: posted)
      pane.close()
    }
    let share = ScriptShare(
      target,
      environment: options.environment,
      limits: settings.limits,
      table: table
    )
    present = .script(share)
    let interruption = Interruption { share.cancel() }
    let outcome = await share.post(shared, options: values)
    present = nil
    withExtendedLifetime(interruption) {}
    switch outcome {
    case .completed(let results):
      output.write("completed")
      for result in results { output.write(result) }
    case .cancelled(let reason): output.write("failed: \(reason)")
    }
  }
}
