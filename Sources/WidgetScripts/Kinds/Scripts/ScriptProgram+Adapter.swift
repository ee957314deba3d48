import WidgetKitCore

extension ScriptProgram {
  /// What reads its output.
  var adapter: any ScriptAdapter {
    switch options.format {
    case .text, nil: TextAdapter(self)
    case .xbar: XbarAdapter(.xbar, self)
    case .swiftbar: XbarAdapter(.swiftbar, self)
    case .argos: XbarAdapter(.argos, self)
    case .waybar: WaybarAdapter(self)
    case .i3bar: I3barAdapter(self)
    case .i3blocks: I3blocksAdapter(self)
    case .nagios: NagiosAdapter(self)
    case .json: JSONAdapter(self)
    case .prometheus: PrometheusAdapter(self)
    }
  }
}
