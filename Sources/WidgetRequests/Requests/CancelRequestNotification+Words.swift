import WidgetKitCore

extension CancelRequestNotification {
  /// The reasons for the user.
  nonisolated var words: String {
    let items = (itemErrors ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    let all = [error].compactMap(\.self).filter { !$0.isEmpty } + items
    return all.isEmpty ? "it has cancelled the request" : all.joined(separator: "; ")
  }
}
