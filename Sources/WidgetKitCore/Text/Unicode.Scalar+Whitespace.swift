extension Unicode.Scalar {
  /// Whether it is a space or a line end (Unicode property White_Space); the table of properties is asked only beyond
  /// ASCII.
  package var isWhitespace: Bool {
    isASCII ? value == 0x20 || 0x09...0x0D ~= value : properties.isWhitespace
  }
}
