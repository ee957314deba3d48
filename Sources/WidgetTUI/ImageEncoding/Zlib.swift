import Glibc

/// Compressed bytes (RFC 1950), by zlib if it is there.
///
/// The library is loaded when the first picture is written: nothing else in the program compresses.
nonisolated enum Zlib {
  private typealias Bound = @convention(c) (UInt) -> UInt
  private typealias Compress =
    @convention(c) (
      UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt>?, UnsafePointer<UInt8>?, UInt, Int32
    ) -> Int32

  private static let library: (bound: Bound, compress: Compress)? = {
    guard let file = unsafe dlopen("libz.so.1", RTLD_NOW),
      let bound = unsafe dlsym(file, "compressBound"),
      let compress = unsafe dlsym(file, "compress2")
    else { return nil }
    return unsafe (
      unsafeBitCast(bound, to: Bound.self), unsafeBitCast(compress, to: Compress.self)
    )
  }()

  /// The bytes, compressed; without the library in a form that is not smaller.
  static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    guard let library = unsafe library else { return stored(bytes) }
    var count = unsafe library.bound(UInt(bytes.count))
    var isGood = false
    let capacity = Int(count)
    let result = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { target, used in
      isGood =
        unsafe bytes.withUnsafeBufferPointer { source in
          // Level 6 is the library's own.
          unsafe library.compress(
            target.baseAddress,
            &count,
            source.baseAddress,
            UInt(source.count),
            6
          )
        } == 0
      used = isGood ? Int(count) : 0
    }
    return isGood ? result : stored(bytes)
  }

  /// Blocks that are not compressed (RFC 1951, 3.2.4).
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let part = rest.prefix(0xFFFF)
      rest = rest.dropFirst(part.count)
      let count = UInt16(truncatingIfNeeded: part.count)
      result.append(rest.isEmpty ? 1 : 0)
      for number in [count, ~count] {
        result += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
      }
      result += part
    } while !rest.isEmpty
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return result + (high << 16 | low).bigEndianBytes
  }
}

nonisolated extension UInt32 {
  /// The four bytes, the highest first.
  var bigEndianBytes: [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
  }
}
