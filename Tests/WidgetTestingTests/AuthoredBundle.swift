import Foundation
import WidgetKitCore
import WidgetTestSupport

/// A widget in Python, with one fault if a test wants that, and with scenarios.
struct AuthoredBundle {
  let world: TestWorld
  let path: String

  init(fault: String = "") throws {
    world = try TestWorld()
    path = "\(world.widgets)/Cups.widget"
    try FileManager.default.createDirectory(
      atPath: "\(path)/Tests",
      withIntermediateDirectories: true
    )
    try world.write(
      """
      { CFBundleIdentifier = "com.example.Cups"; CFBundleExecutable = "cups.py"; NSExtension = {
        NSExtensionPointIdentifier = "com.apple.widget-extension"; NSExtensionPrincipalClass = Cups;
        NSExtensionAttributes = { TodaySettings = (
          { name = unit; title = Unit; type = string; default = cups; } ); }; }; }
      """,
      to: "\(path)/Info.plist"
    )
    try world.write(Self.program.replacing("FAULT", with: fault), to: "\(path)/cups.py")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: "\(path)/cups.py"
    )
  }

  /// Removes it; until then it is there.
  func remove() {
    try? FileManager.default.removeItem(atPath: path)
  }

  var bundle: WidgetBundle { get throws { try WidgetBundle(path: path) } }

  /// Writes `Tests/NAME.json`.
  func scenario(_ text: String, _ name: String = "counts") throws {
    try world.write(text, to: "\(path)/Tests/\(name).json")
  }

  private static let program = #"""
    #!/usr/bin/env python3
    import json, os, sys, time

    fault = "FAULT"
    path = os.environ["TODAY_DATA"] + "/count"
    unit, now, loaded = "cups", "", False

    def count():
        try:
            return int(open(path).read())
        except OSError:
            return 0

    def say(message):
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

    def view(text=None):
        label = "\u2192" if fault == "nameless" else "More"
        children = [
            {"type": "text", "id": "count", "text": text or "%d %s" % (count(), unit)},
            {"type": "text", "text": "at " + now[11:16]},
            {"type": "button", "id": "more", "label": label, "action": "more"},
        ]
        if fault == "lamp":
            children.append({"type": "lamp", "alt": "lamp"})
        if fault == "rows":
            row = {"id": "a", "view": "a"}
            children.append({"type": "list", "id": "l", "rows": [row, row]})
        return {"type": "vstack", "children": children}

    implements = ["widgetPerformUpdate", "performAction", "viewWillAppear", "viewWillDisappear",
                  "viewWillTransitionToSize", "appearanceDidChange", "didReceiveMemoryWarning",
                  "clockDidChange"]
    if fault == "implements":
        implements.append("fly")
    if fault == "deaf":
        implements.remove("performAction")

    while True:
        line = sys.stdin.readline()
        if not line:
            if fault == "eof":
                time.sleep(60)
            break
        call = json.loads(line)
        method, params, answer = call.get("method"), call.get("params", {}), {}
        if method is None:
            continue
        if method == "initialize":
            unit, now = params["configuration"]["unit"], params.get("now", "")
            answer = {"protocolVersion": 2 if fault == "version" else 1, "implements": implements}
        elif method == "widgetPerformUpdate":
            answer = {"result": "newData", "view": view()}
            if fault == "members" and len(params) > 1:
                sys.exit(1)
            if fault == "print":
                print("debug", flush=True)
            if fault == "result":
                answer["result"] = "maybe"
            if fault == "reasonless":
                answer = {"result": "failed"}
            if fault == "empty":
                answer = {"result": "noData"}
            if fault == "params":
                say({"id": "u", "method": "openURL", "params": {}})
        elif method == "performAction":
            if fault == "press":
                sys.exit(1)
            with open(path + ".new", "w") as file:
                file.write(str(count() + 1))
            os.replace(path + ".new", path)
            answer = {"view": view()}
        elif method == "viewWillAppear":
            if fault == "appear":
                time.sleep(1.3)
            answer = {"view": view("Loading" if fault == "forgetful" else None)}
            if fault == "empty" or fault == "reasonless":
                answer = {}
        elif method == "viewWillTransitionToSize":
            if fault == "transition":
                time.sleep(0.3)
        elif method == "clockDidChange":
            now = params["now"]
        elif method == "appearanceDidChange":
            if fault == "theme":
                sys.exit(1)
        elif method == "didReceiveMemoryWarning":
            if fault == "memory":
                sys.exit(1)
        elif method == "shutdown":
            if fault == "stay":
                time.sleep(60)
            sys.exit(3 if fault == "code" else 0)
        elif method == "today/later" and fault == "unknown":
            sys.exit(1)
        elif "id" in call and method != "viewWillDisappear":
            say({"id": call["id"], "error": {"code": -32601, "message": method}})
            continue
        if "id" in call:
            say({"id": call["id"], "result": answer})
            if method == "widgetPerformUpdate" and fault == "twice":
                say({"id": call["id"], "result": answer})
            if method == "widgetPerformUpdate" and fault == "late":
                say({"method": "setView", "params": {"view": view("later")}})

    """#
}
