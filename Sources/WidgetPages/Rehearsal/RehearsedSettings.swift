import WidgetKitCore
import WidgetPlatform

/// The settings of a tested extension as a whole configuration, and what is wrong with them without it.
package struct RehearsedSettings {
  /// The text of the configuration, with the settings in the second line.
  package let text: String
  /// What each member is called in messages: `widgets."com.example.Cups".`.
  private let prefix: String

  /// Takes settings, an object in one line as in `widgets` of config.json.
  package init(_ json: String, of identifier: String) {
    text = "{\"widgets\":{\"\(identifier)\":\n\(json)}}"
    prefix = "\(MemberPath("widgets").member(identifier))."
  }

  /// What is wrong, by its place in the settings.
  ///
  /// - Parameter problem: `configuration:2:7: widgets."com.example.Cups".unti: there is no such setting`.
  /// - Returns: `configuration:1:7: unti: there is no such setting`.
  package func words(_ problem: String) -> String {
    let parts = problem.split(separator: ":", maxSplits: 3).map(String.init)
    guard parts.count == 4, let line = Int(parts[1]), line > 1 else { return problem }
    let words = parts[3].drop { $0 == " " }
    let own = words.hasPrefix(prefix) ? words.dropFirst(prefix.count) : words
    return "\(parts[0]):\(line - 1):\(parts[2]): \(own)"
  }
}
