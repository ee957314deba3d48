import ExtensionContent
import Foundation
import Testing
import WidgetExtensions
import WidgetKitCore
import WidgetTestSupport

/// A share extension or an action in Python, with one fault if a test wants that, and with scenarios.
struct AuthoredExtension {
  let world: TestWorld
  let path: String

  /// What it is.
  enum Kind: String, CaseIterable, Sendable {
    case share = "com.apple.share-services"
    case action = "com.apple.ui-services"
    case filter = "com.apple.services"
  }

  init(_ kind: Kind, fault: String = "", attributes: String = "") throws {
    world = try TestWorld()
    path = "\(world.widgets)/Note.appex"
    try FileManager.default.createDirectory(
      atPath: "\(path)/Tests",
      withIntermediateDirectories: true
    )
    try world.write(
      """
      { CFBundleIdentifier = "com.example.Note"; CFBundleExecutable = "note.py"; NSExtension = {
        NSExtensionPointIdentifier = "\(kind.rawValue)";
        NSExtensionAttributes = { \(attributes.contains("Rule =") ? "" : Self.rule)
          \(attributes) }; }; }
      """,
      to: "\(path)/Info.plist"
    )
    let program = Self.program.replacing("FAULT", with: fault)
      .replacing("POINT", with: kind.rawValue)
    try world.write(program, to: "\(path)/note.py")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: "\(path)/note.py"
    )
  }

  private static let rule =
    "NSExtensionActivationRule = \"extensionItems.attachments.@count >= 1\";"

  /// Removes it; until then it is there.
  func remove() { try? FileManager.default.removeItem(atPath: path) }

  var target: ContentExtension {
    get throws {
      let paths = SearchPaths(named: [path], environment: world.environment(), executable: nil)
      let catalog = BundleCatalog.scan(paths)
      #expect(catalog.problems.isEmpty, "\(catalog.problems)")
      return try #require(catalog.contentExtensions.first)
    }
  }

  /// Writes `Tests/NAME.json`.
  func scenario(_ text: String, _ name: String = "note") throws {
    try world.write(text, to: "\(path)/Tests/\(name).json")
  }
}

extension AuthoredExtension {
  /// The program; `FAULT` in it is the rule that it breaks.
  ///
  /// - `exit METHOD`: it exits when it is sent the method; `error METHOD`: it answers with an error.
  /// - `mute METHOD`: it never answers.
  /// - `late`, `late brief`: it answers Post when the request was completed, which is no fault; `brief` ends with it.
  /// - `type IDENTIFIER`: it exits if the content has that type.
  /// - A word of its own.
  ///
  /// A share extension appends its text to the content; a filter and an action turn it into capitals.
  private static let program = #"""
    #!/usr/bin/env python3
    import json, os, sys, time

    fault, point = "FAULT", "POINT"
    kind, _, target = fault.partition(" ")
    shares, filters = point.endswith("share-services"), point == "com.apple.services"
    data = os.environ["TODAY_DATA"]
    attachment, text, audience, presses, asked, posted = {}, "", "Everyone", 0, 0.0, None

    def say(**message):
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

    def count(name):
        try:
            old = int(open(data + "/" + name).read())
        except (OSError, ValueError):
            old = 0
        with open(data + "/" + name, "w") as file:
            file.write(str(old + 1))
        return old

    def sheet(**more):
        if fault == "bare":
            return
        items = [{"id": "audience", "title": "Audience", "value": audience,
                  "choices": ["Everyone", "Friends"]},
                 {"id": "more", "title": "More"}]
        if fault == "value":
            items[0]["value"] = "Nobody"
        if fault == "items":
            items[1]["id"] = "audience"
        members = {"placeholder": "About", "configurationItems": items, **more}
        if fault == "preview":
            members["preview"] = {"type": "vstack", "children": ["row"] * 9}
        else:
            members["preview"] = {"type": "text", "text": "A note"}
        if fault == "completions":
            members["completions"] = [{"text": "#news", "replaces": 99}]
        elif text.endswith("#"):
            members["completions"] = [{"text": "#news", "replaces": 1}]
        else:
            members["completions"] = None
        if fault == "members":
            members["placeHolder"] = members.pop("placeholder")
            items[1]["valuepending"] = True
        say(method="setCompose", params=members)

    def view():
        if fault == "blank":
            return {"type": "vstack", "children": []}
        words = "Locked" if fault == "lock" and os.path.exists(data + "/lock") else "Presses"
        children = [{"type": "text", "text": "%s: %d" % (words, presses)},
                    {"type": "button", "label": "Count", "action": "count"},
                    {"type": "button", "label": "Return", "action": "return"},
                    {"type": "field", "id": "name", "placeholder": "Name", "action": "name"}]
        if fault == "lamp":
            children.append({"type": "lamp"})
        if fault == "lock":
            open(data + "/lock", "w").close()
        return {"type": "vstack", "children": children}

    def load():
        global asked
        asked = time.monotonic()
        say(id="load", method="loadItem",
            params={"attachment": attachment["id"], "as": "path",
                    "type": attachment["registeredTypeIdentifiers"][0]})

    def complete(content):
        if fault == "nothing":
            return say(id="done", method="completeRequest", params={})
        returned = {"type": "public.plain-text", "text": content}
        if fault == "outside":
            returned = {"type": "public.plain-text", "path": "/etc/hostname"}
        items = [{"attachments": [returned]}]
        for _ in range(2 if fault == "twice" else 1):
            say(id="done", method="completeRequest", params={"returningItems": items})

    def cancel(reason):
        say(method="cancelRequest", params={} if fault == "reasonless" else {"error": reason})

    def loaded(message):
        if fault == "impatient" and time.monotonic() - asked > 0.04:
            sys.exit(1)
        if "error" in message:
            if fault == "unloadable":
                sys.exit(1)
            return cancel(message["error"]["message"])
        content = open(message["result"]["path"], "rb").read()
        for name, wrong in (("empty", not content), ("large", len(content) > 100000),
                            ("unended", content and not content.endswith(b"\n"))):
            if fault == name and wrong:
                sys.exit(1)
        try:
            words = content.decode()
        except UnicodeDecodeError as error:
            if fault == "bytes":
                raise
            return cancel(str(error))
        complete((words + text if shares else words.upper())[:1000])

    def begin():
        if fault == "disk":
            with open(data + "/file", "w") as file:
                file.write("x")
        if fault == "never":
            return
        if fault == "cancel":
            return cancel("")
        load()

    implements = ["viewWillAppear", "viewDidAppear", "presentationAnimationDidFinish", "contentDidChange",
                  "configurationItemChosen", "didSelectCancel", "performAction", "fieldDidChange",
                  "requestDidComplete"]
    if shares:
        implements.append("didSelectPost")
    if fault == "late brief":
        implements.remove("requestDidComplete")
    if fault == "implements":
        implements.append("widgetPerformUpdate")
    if fault == "noise":
        print("hello", flush=True)

    def answer(method, params, call):
        global attachment, text, audience, presses, posted
        if method == "initialize":
            attachment = params["extensionContext"]["inputItems"][0]["attachments"][0]
            attachments = params["extensionContext"]["inputItems"][0]["attachments"]
            for name, wrong in (("several", len(attachments) > 1),
                                ("unsized", attachment["size"] is None),
                                ("odd", "\x1b" in attachment.get("suggestedName", "")),
                                ("locale", params["locale"].startswith("de"))):
                if fault == name and wrong:
                    sys.exit(1)
            if kind == "type" and target == attachment["registeredTypeIdentifiers"][0]:
                sys.exit(1)
            version = 7 if fault == "version" else 1
            say(id=call, result={"protocolVersion": version, "implements": implements})
            if filters:
                begin()
            return
        result = {}
        if method == "viewWillAppear" and not shares:
            result = {"view": view()}
        elif method == "contentDidChange":
            text = params["text"]
            if fault == "long" and len(text) > 1000 or fault == "combined" and "\u0301" in text:
                sys.exit(1)
            left = len(text) if fault == "count" else 280 - len(text)
            result = {"isContentValid": fault != "invalid", "charactersRemaining": left}
            sheet()
        elif method == "configurationItemChosen":
            if params["id"] == "more":
                words = "" if fault == "push" else "Pushed"
                result = {"view": {"type": "text", "text": words}}
            else:
                audience = audience if fault == "choice" else params["value"]
                sheet()
        elif method == "didSelectPost":
            text = params["text"]
            if kind == "late":
                posted = call
            elif fault != "unanswered":
                say(id=call, result={})
            return begin()
        elif method == "performAction":
            say(id=call, result={})
            presses += 1
            if params["action"] == "return":
                return begin()
            return say(method="setView", params={"view": view()})
        elif method not in implements and fault != "lax":
            return say(id=call, error={"code": -32601, "message": method})
        say(id=call, result=result)

    def hear(method, params):
        if method == "shutdown":
            if fault == "deaf":
                time.sleep(60)
            sys.exit(3 if fault == "code" else 0)
        if method == "presentationAnimationDidFinish" and shares:
            sheet(text="again" if fault == "again" and count("starts") else "")
        if method == "viewDidAppear" and fault == "quits":
            sys.exit(0)
        if method == "viewDidAppear" and fault == "load":
            load()
        if method == "viewDidAppear" and fault == "early":
            say(id="up", method="uploadInBackground",
                params={"session": "s", "url": "https://example.com/", "path": data + "/x"})
        if method == "viewDidAppear" and fault == "unknown":
            say(method="setComposer", params={"placeholder": "x"})
        if method == "viewDidAppear" and fault == "malformed":
            say(method="setCompose", params={"placeholder": 7})
        if method == "requestDidComplete" and params["expired"]:
            if fault == "lingers":
                time.sleep(60)
            if fault != "deaf":
                sys.exit(3 if fault == "code" else 0)
        if method == "orgExampleUnknownToo" and fault == "strict":
            sys.exit(1)

    for line in sys.stdin:
        message = json.loads(line)
        method, call = message.get("method"), message.get("id")
        if method is None:
            if call == "load":
                loaded(message)
            if call == "done" and posted is not None:
                say(id=posted, result={})
            continue
        if method == target and kind == "exit":
            sys.exit(1)
        if method == target and kind == "mute":
            continue
        if method == target and kind == "error":
            say(id=call, error={"code": -32603, "message": "it cannot"})
        elif call is None:
            hear(method, message.get("params", {}))
        else:
            answer(method, message.get("params", {}), call)
    if fault == "orphan":
        time.sleep(60)
    """#
}
