package import WidgetKitCore

/// What content an extension accepts, which the host finds out without starting a process.
package enum ActivationRule: Hashable, Sendable {
  /// The greatest numbers of attachments of each kind.
  case counts(ActivationCounts)
  case predicate(ActivationPredicate)

  /// Reads the value of `NSExtensionActivationRule`.
  ///
  /// - Throws: ``ActivationRuleError`` with the place of the mistake.
  package init(_ value: PropertyValue) throws(ActivationRuleError) {
    if let text = value.string {
      self = .predicate(try ActivationPredicate(text))
    } else if let values = value.dictionary {
      self = .counts(try ActivationCounts(values))
    } else {
      throw ActivationRuleError("expected a predicate or a dictionary")
    }
  }

  /// Decides whether the extension is offered for some content.
  package func verdict(on items: [ExtensionItem], _ table: TypeTable) -> ActivationVerdict {
    switch self {
    case .counts(let counts): counts.verdict(on: items.flatMap(\.attachments), table)
    case .predicate(let predicate): predicate.verdict(on: items, table)
    }
  }

  /// The types that a predicate names, in their order; counts name none.
  package var types: [UniformType] {
    switch self {
    case .counts: []
    case .predicate(let predicate): predicate.types
    }
  }

  /// What a bundle's author probably did not mean.
  package var remarks: [ActivationRemark] {
    switch self {
    case .counts(let counts): counts.version == nil ? [.noVersion] : []
    case .predicate(let predicate): predicate.remarks
    }
  }
}

/// Whether an extension is offered, and if not, because of which part of its rule.
package enum ActivationVerdict: Hashable, Sendable {
  case offered
  case refused(String)

  package var isOffered: Bool { self == .offered }
}

/// A mistake that authors of activation rules make.
package enum ActivationRemark: Hashable, Sendable {
  /// The rule of the template, which accepts everything.
  case truePredicate
  /// A dictionary without `NSExtensionActivationDictionaryVersion` means the strict version 1.
  case noVersion
  /// `A OR B AND NOT C`: AND binds stronger than OR; the text is that of the part.
  case mixedPrecedence(String)
}

/// Why an activation rule cannot be used.
package struct ActivationRuleError: Error, Hashable, Sendable, CustomStringConvertible {
  package let message: String
  /// Where in the predicate it is, in Unicode scalars, from 1; nil in a dictionary.
  package let position: Int?

  init(_ message: String, at position: Int? = nil) {
    (self.message, self.position) = (message, position)
  }

  package var description: String {
    position.map { "character \($0): \(message)" } ?? message
  }
}
