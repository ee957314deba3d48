package import WidgetKitCore
import WidgetPlatform

/// What a widget requests about transfers.
package enum TransferRequest: Hashable, Sendable {
  case download(DownloadInBackgroundRequest)
  case upload(UploadInBackgroundRequest)
  case cancel(CancelTransferRequest)
}

/// The checks of a request for a transfer, and the record that it becomes.
package struct TransferOrder {
  private let kind: TransferRecord.Kind
  private let identifier: String
  private let url: String
  private let group: String
  private let method: String
  private let headers: [String: String]
  private let file: String?
  private let byteLimit: Int
  private let credential: TransferCredential?

  /// The most bytes of a file, unless the widget asks for fewer.
  private static let byteLimit = 1 << 30
  private static let identifierLimit = 200
  private static let headerLimit = 16 * 1024
  /// The fields that belong to the connection or to the way in which a part is fetched.
  private static let ownHeaders: Set<String> = [
    "accept-encoding", "connection", "content-length", "expect", "host", "if-range", "keep-alive",
    "proxy-authorization", "range", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// Checks a request to download.
  package init(_ request: DownloadInBackgroundRequest, groups: [String], secrets: [String])
    throws(WireError)
  {
    try self.init(
      .download,
      request.identifier,
      request.url,
      request.sharedContainer,
      groups,
      method: "GET",
      file: nil,
      request.headers,
      try TransferCredential(request.credential, request.authentication, secrets),
      request.byteLimit
    )
  }

  /// Checks a request to upload.
  package init(_ request: UploadInBackgroundRequest, groups: [String], secrets: [String])
    throws(WireError)
  {
    guard ["POST", "PUT"].contains(request.method) else {
      throw Self.invalid("method", "expected POST or PUT", found: request.method)
    }
    let parts = request.file.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.isEmpty, parts.allSatisfy({ OwnPath.isPlain($0) }),
      parts.first.map(String.init) != StateFolders.reservedName
    else {
      throw Self.invalid(
        "file",
        "expected a path below the folder of the group, such as outbox/7.json",
        found: request.file
      )
    }
    try self.init(
      .upload,
      request.identifier,
      request.url,
      request.sharedContainer,
      groups,
      method: request.method,
      file: request.file,
      request.headers,
      try TransferCredential(request.credential, request.authentication, secrets),
      request.byteLimit
    )
  }

  private init(
    _ kind: TransferRecord.Kind,
    _ identifier: String,
    _ url: String,
    _ group: String?,
    _ groups: [String],
    method: String,
    file: String?,
    _ headers: [String: String]?,
    _ credential: TransferCredential?,
    _ byteLimit: Int?
  ) throws(WireError) {
    guard (1...Self.identifierLimit).contains(identifier.utf8.count), Self.isText(identifier) else {
      throw Self.invalid(
        "identifier",
        "expected 1 to \(Self.identifierLimit) bytes without control characters",
        found: identifier
      )
    }
    guard let group, !group.isEmpty else {
      throw Self.invalidSession("expected an app group")
    }
    guard groups.contains(group) else {
      let known = groups.isEmpty ? "none" : groups.joined(separator: ", ")
      throw Self.invalidSession(
        "expected a group that the widget and its app both request (\(known)), found “\(group)”"
      )
    }
    guard credential == nil || !(headers ?? [:]).keys.contains(where: Self.isAuthorization) else {
      throw WireError(
        code: .invalidParams,
        message: "params.headers: Authorization is set by params.credential"
      )
    }
    self.credential = credential
    let limit = byteLimit ?? Self.byteLimit
    guard (1...Self.byteLimit).contains(limit) else {
      throw WireError(
        code: .invalidParams,
        message: "params.byteLimit: expected a number from 1 to \(Self.byteLimit), found \(limit)"
      )
    }
    (self.kind, self.identifier, self.group, self.method) = (kind, identifier, group, method)
    (self.file, self.byteLimit) = (file, limit)
    self.url = try Self.checked(url)
    self.headers = try Self.checked(headers ?? [:])
  }

  private static func checked(_ url: String) throws(WireError) -> String {
    guard let checked = CheckedURL(url), ["http", "https"].contains(checked.scheme),
      checked.host != nil
    else {
      throw invalid(
        "url",
        "expected an http or https URL of at most \(CheckedURL.byteLimit) bytes",
        found: url
      )
    }
    let authority = checked.text.dropFirst(checked.scheme.count + 3).prefix { !"/?#".contains($0) }
    guard !authority.contains("@") else {
      throw WireError(
        code: .invalidParams,
        message: "params.url: a URL may not have a user or a password; use params.headers"
      )
    }
    return checked.text
  }

  private static func checked(
    _ headers: [String: String]
  ) throws(WireError) -> [String: String] {
    var size = 0
    for (name, value) in headers {
      size += name.utf8.count + value.utf8.count + 4
      // A token (RFC 9110, 5.6.2).
      guard !name.isEmpty,
        name.utf8.allSatisfy({ byte in
          byte > 0x20 && byte < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte)
        })
      else { throw invalid("headers", "expected names of fields", found: name) }
      guard !ownHeaders.contains(name.lowercased()) else {
        throw WireError(
          code: .invalidParams,
          message: "params.headers: \(name) is set by the program"
        )
      }
      guard isText(value) else {
        throw WireError(
          code: .invalidParams,
          message: "params.headers: the value of \(name) has a control character"
        )
      }
    }
    guard size <= headerLimit else {
      throw WireError(
        code: .invalidParams,
        message: "params.headers: \(size) bytes, the limit is \(headerLimit)"
      )
    }
    return headers
  }

  private static func isAuthorization(_ name: String) -> Bool {
    name.lowercased() == "authorization"
  }

  private static func isText(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  private static func invalid(_ member: String, _ rule: String, found: String) -> WireError {
    WireError(
      code: .invalidParams,
      message: "params.\(member): \(rule), found “\(SafeText(String(found.prefix(80))))”"
    )
  }

  private static func invalidSession(_ rule: String) -> WireError {
    WireError(
      code: .invalidSession,
      message: "params.sharedContainer: the session is invalid: \(rule)"
    )
  }

  /// The session that it belongs to.
  package func session(of app: AppBundle) -> TransferSessionName {
    TransferSessionName(app: app.bundleIdentifier, identifier: identifier)
  }

  /// The transfer of a widget with a new name.
  package func record(of widget: String, _ app: AppBundle) -> TransferRecord {
    TransferRecord(
      task: TransferBook.newTask(),
      kind: kind,
      identifier: identifier,
      group: group,
      widget: widget,
      app: app.bundleIdentifier,
      appPath: app.path,
      method: method,
      url: url,
      headers: headers,
      file: file,
      byteLimit: byteLimit,
      credential: credential
    )
  }
}
