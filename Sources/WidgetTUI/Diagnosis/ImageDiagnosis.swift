import WidgetCards
import WidgetPlatform

/// Looks at how pictures of widgets can be shown: the decoder, and the libraries that it needs.
nonisolated struct ImageDiagnosis {
  let check: ImageCheck

  /// Draws tiny pictures with the decoder of the program.
  static func findings() async -> [Finding] {
    ImageDiagnosis(check: await ImageCheck.run(executable: HostProcess.executablePath())).findings
  }

  /// What there is to say.
  var findings: [Finding] {
    if let fault = check.decoding {
      return [
        Finding(
          .images,
          .warning,
          "pictures of widgets are shown as their text: a picture \(fault)",
          advice: "install libgdk-pixbuf-2.0-0, for example with apt"
        )
      ]
    }
    let webp = check.webp == nil ? "" : " (WebP needs the package webp-pixbuf-loader)"
    let decoding = Finding(.images, .ok, "pictures of widgets can be decoded\(webp)")
    guard let fault = check.symbols else {
      return [decoding, Finding(.images, .ok, "pictures can be drawn with characters (libchafa)")]
    }
    return [
      decoding,
      Finding(
        .images,
        .warning,
        "on terminals without graphics, pictures are shown as their text: a picture \(fault)",
        advice: "install libchafa0, for example with apt"
      ),
    ]
  }
}
