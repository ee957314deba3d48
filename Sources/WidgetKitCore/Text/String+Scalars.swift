extension StringProtocol {
  /// Whether two texts have the same Unicode scalar values in the same order.
  ///
  /// `==` also finds texts equal that are composed of other scalar values, such as `é` in one and in two, which are
  /// different names in JSON, in labels of metrics and in files.
  package func hasSameScalars(as other: some StringProtocol) -> Bool {
    utf8.elementsEqual(other.utf8)
  }
}
