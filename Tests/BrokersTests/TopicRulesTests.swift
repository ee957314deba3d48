import Testing

@testable import Brokers

/// The rules for topics and filters.
@Suite struct TopicRulesTests {
  @Test(arguments: ["a", "a/b", "/", "a//b", "$SYS/x", "ü/☃", "a b"])
  func `a topic has any characters but those of filters`(topic: String) {
    #expect(TopicRules.fault(topic) == nil)
  }

  @Test(arguments: [
    "", "a/+", "#", "a/+\u{301}", "#\u{301}", "a\u{0}", "a\n", "\u{1B}[31m", "a\u{9B}1m",
    String(repeating: "a", count: 65_536),
  ])
  func `what is no topic is refused`(topic: String) {
    #expect(TopicRules.fault(topic) != nil)
  }

  @Test(arguments: [
    ("+", true), ("#", true), ("a/+/b/#", true), ("a+", false), ("a/#/b", false), ("a#", false),
    ("++", false),
    // A mark that combines with a wildcard is more in its level.
    ("+\u{301}", false), ("a/#\u{301}", false), ("a/\u{301}/+", true),
  ])
  func `wildcards stand for whole levels`(filter: String, isValid: Bool) {
    #expect((TopicRules.filterFault(filter) == nil) == isValid)
  }

  @Test(arguments: [
    ("today/+/System", "today/nas/System", true), ("today/+/System", "today/nas/x/System", false),
    ("today/#", "today", true), ("today/#", "today/a/b", true), ("#", "a", true),
    ("#", "$SYS/a", false),
    ("+/a", "/a", true), ("+", "/a", false), ("a/+", "a", false), ("$SYS/#", "$SYS/a", true),
    ("#", "$\u{301}a", false), ("a/+", "a/\u{301}b", true), ("a/\u{301}b/#", "a/\u{301}b/c", true),
    // What looks alike is not the same topic.
    ("caf\u{E9}", "cafe\u{301}", false), ("caf\u{E9}/+", "caf\u{E9}/a", true),
  ])
  func `a filter matches as in MQTT`(filter: String, topic: String, matches: Bool) {
    #expect(TopicRules.matches(filter, topic) == matches)
  }

  @Test func `names that look alike are two`() {
    let names: Set<TopicKey> = [TopicKey("caf\u{E9}"), TopicKey("cafe\u{301}")]
    #expect(names.count == 2)
    #expect(TopicKey("cafe\u{301}").text.utf8.elementsEqual("cafe\u{301}".utf8))
    #expect(TopicRules.levels("a/\u{301}b") == ["a", "\u{301}b"])
  }
}
