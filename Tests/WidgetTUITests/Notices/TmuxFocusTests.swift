import Testing

@testable import WidgetTUI

/// What tmux says of the focus.
@Suite struct TmuxFocusTests {
  @Test(
    arguments: [
      ("1\tbpaste,focus\tattached,focused\t1001\t%3", true),
      ("on\tfocus\tfocused\t900\t%3\n", true),
      ("1\tfocus\tattached\t900\t%3\n1\tfocus\tattached,focused\t900\t%3", true),
      // A key or the focus came later.
      ("1\tfocus\tattached,focused\t1010\t%3", false),
      ("1\tfocus\tattached\t900\t%3", false), ("0\tfocus\tattached,focused\t900\t%3", false),
      // A terminal that does not tell counts as one with the focus.
      ("1\tbpaste\tattached,focused\t900\t%3", false),
      ("1\tfocus\tattached,focused\t900\t%4", false), ("", false), ("\t\t\t\t", false),
      ("1\tfocus\tattached,focused\tsoon\t%3", false),
    ]
  )
  func `the focus is known only where a terminal tells it`(clients: String, expected: Bool) {
    #expect(TmuxFocus.hadFocus("%3", since: 1000, clients: clients) == expected)
  }
}
