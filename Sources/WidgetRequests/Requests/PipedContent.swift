import Glibc
import Synchronization
import WidgetPlatform

/// Content that comes from a pipe: its beginning was read to know its type, and the rest is read when it is asked for.
package nonisolated final class PipedContent: Sendable {
  /// The first bytes.
  package let beginning: [UInt8]
  private let number: Int32
  private let folder: String
  private let spool = Mutex<RequestSpool?>(nil)

  /// Takes over a pipe of which some bytes were read.
  ///
  /// - Parameters:
  ///   - number: The open descriptor, which stays open.
  ///   - beginning: The bytes that were read.
  ///   - folder: Where the content is kept once it was asked for.
  package init(_ number: Int32, beginning: [UInt8], in folder: String) {
    (self.number, self.beginning, self.folder) = (number, beginning, folder)
  }

  /// The whole content, which is read now if it was not; the calling thread waits.
  ///
  /// - Parameter byteLimit: The most bytes.
  /// - Returns: The content in a file.
  /// - Throws: ``HostError``; with `tooLarge` if there are more.
  func content(byteLimit: Int) throws(HostError) -> RequestSpool {
    let read = spool.withLock { known -> Result<RequestSpool, HostError> in
      if let known { return .success(known) }
      do throws(HostError) {
        let made = try RequestSpool(in: folder)
        try made.append(beginning)
        guard try made.read(from: number, byteLimit: byteLimit - beginning.count) else {
          throw HostError(
            code: .tooLarge,
            description: "the input is larger than limits.requestBytes, \(byteLimit) bytes"
          )
        }
        known = made
        return .success(made)
      } catch {
        return .failure(error)
      }
    }
    return try read.get()
  }
}
