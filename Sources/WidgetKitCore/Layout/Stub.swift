import FoundationEssentials
public struct DateWording: Sendable { public static let current = DateWording() }
public enum ViewLayout {
  public static func layOut(_ node: ViewNode, width: Int, height: Int? = nil, in environment: LayoutEnvironment) -> LaidOutView { LaidOutView(size: Size(columns: width, rows: height ?? 1)) }
  public static func height(of node: ViewNode, width: Int, in environment: LayoutEnvironment) -> Int { 1 }
}
