import WidgetPlatform

extension NoticeContent {
  /// The content without the texts of an application that is private.
  func concealed(_ settings: NoticeSettings) -> NoticeContent {
    guard settings.isPrivate(application) else { return self }
    var content = self
    content.title = "a message"
    content.body = nil
    // Their names may say what the message is about, and a tag is only compared. That of a desktop is its number.
    content.actions = nil
    if source != .desktop {
      content.tag = tag.map { JournalLine.hexadecimal(StableHash.value(of: $0)) }
    }
    return content
  }

  /// The content for a screen that others can read.
  package var hidden: NoticeContent {
    var content = NoticeContent(
      application: "today",
      source: source,
      title: "A notice waits",
      urgency: urgency
    )
    content.tag = tag == nil ? nil : "hidden"
    return content
  }
}
