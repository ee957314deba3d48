import WidgetPlatform
import WidgetRequests

/// Where `today act` puts what actions have returned: on standard output, into files, or in place of their content.
struct ActResults {
  let environment: [String: String]
  let isInPlace: Bool
  /// The file, or the folder for several files; nil for standard output.
  let output: String?

  private typealias Replacement = (file: EditedFile, original: RequestSpool, result: RequestSpool)

  /// Refuses what cannot be written, before actions run.
  ///
  /// - Throws: ``CommandError`` if several files need a folder, or would get one name in it.
  func check(_ sources: [ActSource]) throws(CommandError) {
    guard let output, !isInPlace else { return }
    guard OutputFile.isFolder(output) else {
      guard sources.count == 1 else {
        throw .missing("\(output): no such folder, which several files need")
      }
      return
    }
    var known: [String: ActSource] = [:]
    for source in sources {
      let path = path(of: source, in: output)
      if let other = known.updateValue(source, forKey: path) {
        throw .usage(
          "\(other.words) and \(source.words) would both be \(path); nothing was written"
        )
      }
    }
  }

  private func path(of source: ActSource, in folder: String) -> String {
    "\(folder)/\(source.name ?? "output")"
  }

  /// Writes the results of sources.
  ///
  /// - Parameters:
  ///   - results: What the actions have returned for each source.
  ///   - sources: The content.
  ///   - actions: The identifiers of the actions.
  /// - Throws: ``CommandError`` with the file and the reason.
  func write(
    _ results: [RequestSpool],
    of sources: [ActSource],
    by actions: [String]
  ) throws(CommandError) {
    if isInPlace { return try replace(Array(zip(sources, results)), by: actions) }
    guard let output else {
      for result in results { try ResultOutput.write(result) }
      return
    }
    let isFolder = OutputFile.isFolder(output)
    let paths = sources.map { isFolder ? path(of: $0, in: output) : output }
    do throws(HostError) {
      // A file that is there is kept, as one that is replaced in place.
      var replaced: [Replacement] = []
      var written: [(String, RequestSpool)] = []
      for (path, result) in zip(paths, results) {
        if OutputFile.isRegular(path) {
          let file = try EditedFile(path)
          let original = try file.content(
            in: TemporaryFolder.path(environment),
            byteLimit: .max - 1
          )
          replaced.append((file, original, result))
        } else {
          written.append((path, result))
        }
      }
      if !replaced.isEmpty {
        try Self.replace(replaced, by: actions, areOutputs: true, environment: environment)
      }
      for (path, result) in written { try OutputFile.write(result, to: path) }
    } catch {
      throw ActSource.error(error)
    }
  }

  /// Replaces files by results that differ from them, after their originals were kept.
  private func replace(
    _ pairs: [(source: ActSource, result: RequestSpool)],
    by actions: [String]
  ) throws(CommandError) {
    let changed = pairs.compactMap { source, result -> Replacement? in
      guard case .file(let file?, _) = source.origin,
        source.content.size != result.size || source.content.hash != result.hash
      else { return nil }
      return (file, source.content, result)
    }
    guard !changed.isEmpty else { return }
    do throws(HostError) {
      try Self.replace(changed, by: actions, environment: environment)
    } catch {
      throw ActSource.error(error)
    }
  }

  /// Keeps the originals of files, and replaces them.
  static func replace(
    _ files: [(file: EditedFile, original: RequestSpool, result: RequestSpool)],
    by actions: [String],
    areOutputs: Bool = false,
    environment: [String: String]
  ) throws(HostError) {
    try KeptOriginals(environment: environment).keep(
      files.map { ($0.file.target, $0.original, $0.result) },
      extensions: actions,
      areOutputs: areOutputs
    )
    for file in files { try file.file.replace(by: file.result) }
  }
}
