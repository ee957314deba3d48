import WidgetExtensions

/// Looks at where the secrets of widgets are kept.
nonisolated struct SecretsDiagnosis {
  let keeping: SecretStorage.Keeping

  /// What there is to say.
  var finding: Finding {
    switch keeping {
    case .service, .files(_, reason: nil): Finding(.secrets, .ok, keeping.words)
    case .files:
      Finding(
        .secrets,
        .ok,
        keeping.words,
        advice: "install libsecret-1-0 and a keyring, such as gnome-keyring, to have them encrypted"
      )
    case .unavailable:
      Finding(
        .secrets,
        .wrong,
        keeping.words,
        advice: "start a keyring, such as gnome-keyring, or remove the setting"
      )
    }
  }
}
