/// What a program does for a page that it has open.
package enum PageRole {
  /// Its user looks at the page, and answers what is asked there.
  case owner
  /// It runs the widgets for others, who look at what it stores; nobody answers.
  case engine
  /// It shows what another program of the same user stores, starts no widget, and writes nothing.
  case viewer
}
