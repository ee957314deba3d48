/// Where a pane is: in rows of the terminal below the prompt, or over the page.
protocol PaneSurface: AnyObject {
  /// Called with each key; the places of the mouse are within the pane.
  var onKey: (Key) -> Void { get set }
  /// Makes the picture.
  var onDraw: (PaneLook) -> PanePicture { get set }
  /// Called before the program ends.
  var onInterruption: () -> Void { get set }
  /// Whether the pane has the whole screen.
  var fillsScreen: Bool { get set }
  /// What a picture is drawn with now.
  var look: PaneLook { get }
  /// Begins to show pictures and to take keys.
  func open()
  /// Gives back what is not the pane's.
  func close()
  /// Shows the picture that ``onDraw`` makes.
  func draw()
  /// What the mouse has pressed.
  func action(at event: MouseEvent) -> PaneAction?
}
