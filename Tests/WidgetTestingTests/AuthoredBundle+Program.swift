extension AuthoredBundle {
  /// The program; `FAULT` in it is the rule that it breaks.
  ///
  /// - `exit METHOD`: it exits when it is sent the method; `exit2 METHOD`: the second time.
  /// - `error METHOD`, `error2 METHOD`: it answers with an error.
  /// - A word of its own.
  ///
  /// `everything` breaks none, and has a part for each check but those of the two forms, which `forms` has.
  static let program = #"""
    #!/usr/bin/env python3
    import json, os, signal, sys, time

    fault = "FAULT"
    kind, _, target = fault.partition(" ")
    everything = fault == "everything"
    data = os.environ["TODAY_DATA"]
    path = data + "/count"
    unit, now, seen, rows, samples = "cups", "", {}, ["a", "b"], 0
    lamp, stopped, refused, mode = False, False, 0, "compact"
    heard, width = [], 80

    def count():
        try:
            return int(open(path).read())
        except (OSError, ValueError):
            return 0

    def keep(name, text="x"):
        with open(data + "/" + name + ".new", "w") as file:
            file.write(text)
        os.replace(data + "/" + name + ".new", data + "/" + name)

    def say(message):
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

    def has(*faults):
        return everything or fault in faults

    def view(text=None):
        if fault == "blank":
            return " "
        if fault == "narrow" and width < 50:
            return "Too narrow: make it wider"
        if fault == "clipped":
            return {"type": "text", "text": "count " * 7 + "%d" % count(), "frame": {"minWidth": 60}}
        if fault == "cut":
            return {"type": "text", "text": "x" * 20 + " of the cups that were counted", "lineLimit": 1}
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
        if has("order"):
            children.append({"type": "list", "id": "l",
                             "rows": [{"id": name, "view": "row " + name} for name in rows]})
        if has("link"):
            link = "not a URL" if fault == "link" else "https://example.com/"
            children.append({"type": "text", "text": "site", "link": link})
        if has("exit fieldDidChange"):
            children.append({"type": "field", "id": "new", "placeholder": "New"})
        if has("toggle"):
            children.append({"type": "toggle", "label": "Lamp", "action": "lamp", "isOn": lamp})
        if has("refused", "locked"):
            children.append({"type": "button", "label": "Open", "action": "open"})
        if has("private"):
            children.append({"type": "text", "text": "4711 coins", "privacySensitive": True})
        if fault == "private":
            children.append("You have 4711 coins")
        if has("alt"):
            words = {} if fault == "alt" else {"alt": "A cup"}
            children.append({"type": "image", "path": "cup.png", **words})
        if has("figure"):
            words = {} if fault == "figure" else {"accessibilityLabel": "Cups"}
            children.append({"type": "gauge", "value": 0.5, **words})
        if fault == "escape":
            children.append(chr(27) + "[31mred")
        children += heard
        if mode == "expanded":
            children.append("and a saucer")
        if everything:
            # Of one height, as a page grants other heights once a second.
            return {"type": "vstack", "children": children, "frame": {"height": 24}}
        return {"type": "vstack", "children": children}

    implements = ["widgetPerformUpdate", "performAction", "viewWillAppear", "viewWillDisappear",
                  "viewWillTransitionToSize", "appearanceDidChange", "didReceiveMemoryWarning",
                  "clockDidChange"]
    for method in ("widgetMarginInsets", "fieldDidChange", "widgetDidBeginEditing",
                   "widgetDidEndEditing",
                   "transitionDidComplete", "widgetActiveDisplayModeDidChange",
                   "configurationDidChange", "hostDidEnterBackground"):
        if everything or target == method:
            implements.append(method)
    if fault == "forms":
        implements.append("widgetActiveDisplayModeDidChange")
    if has("order"):
        implements.append("listDidMoveRow")
    if everything:
        implements += ["listShouldRemoveRow", "listDidRemoveRow", "widgetListPerformAddAction",
                       "didReceiveNotification", "defaultsDidChange", "transferDidProgress",
                       "handleEventsForBackgroundURLSession"]
    if has("replaced") and "transitionDidComplete" not in implements:
        implements.append("transitionDidComplete")
    if has("expired", "denied"):
        implements.append("expiringActivity")
    if fault == "implements":
        implements.append("fly")
    if fault == "deaf":
        implements.remove("performAction")

    def note_stop(*_):
        global stopped
        stopped = True

    signal.signal(signal.SIGCONT, note_stop)
    if fault == "handled":
        signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    if fault == "nonblocking":
        os.set_blocking(1, False)
    for name in ("start", "content"):
        if fault == name and os.path.exists(data + "/" + name):
            sys.exit(1)
    if fault == "start":
        keep("start")

    while True:
        line = sys.stdin.readline()
        if not line:
            if fault in ("eof", "handled"):
                time.sleep(60)
            break
        call = json.loads(line)
        method, params, answer = call.get("method"), call.get("params", {}), {}
        if method is None:
            result = call.get("result") or {}
            if call.get("id") == "open" and not result.get("success"):
                refused += 1
                if (fault, refused) in (("refused", 1), ("locked", 2)):
                    sys.exit(1)
            if call.get("id") == "begin":
                if fault == "denied" and result.get("expired"):
                    sys.exit(1)
                say({"method": "endExpiringActivity",
                     "params": {"activity": result.get("activity")}})
            continue
        seen[method] = seen.get(method, 0) + 1
        if "size" in params:
            width = params["size"]["width"]
        if fault == "silent" or fault == "mute" and method != "initialize":
            continue
        if target == method and seen[method] == (2 if kind.endswith("2") else 1):
            if kind.startswith("exit"):
                sys.exit(1)
            say({"id": call["id"], "error": {"code": -32603, "message": "broken"}})
            continue
        if method == "initialize":
            if fault == "early":
                say({"method": "setView", "params": {"view": "early"}})
                say({"id": "early", "method": "openURL", "params": {"url": "https://example.com/"}})
            unit, now = params["configuration"]["unit"], params.get("now", "")
            answer = {"protocolVersion": 2 if fault == "version" else 1, "implements": implements}
            if has("exit widgetDidBeginEditing", "order"):
                answer["allowsEditing"] = True
            if fault in ("exit widgetActiveDisplayModeDidChange", "forms"):
                answer["largestAvailableDisplayMode"] = "expanded"
        elif method == "widgetMarginInsets":
            answer = params["proposed"]
        elif method == "widgetPerformUpdate":
            if fault == "stop" and stopped and params["reason"] == "user":
                sys.exit(1)
            if fault == "line":
                print("{'a': 1}", flush=True)
                continue
            if fault == "disk":
                keep("update")
            if fault == "secret":
                value = "4711-%d" % os.getpid()
                say({"id": "keep", "method": "secretAdd",
                     "params": {"name": "token", "group": "group", "value": value}})
                say({"id": "load", "method": "downloadInBackground",
                     "params": {"identifier": "cups", "url": "https://example.com/",
                                "sharedContainer": "group", "headers": {"Authorization": value}}})
                say({"method": "secretAdd", "params": value})
            if has("denied"):
                say({"id": "begin", "method": "beginExpiringActivity", "params": {"reason": "u"}})
            answer = {"result": "newData", "view": view()}
            if fault == "snake":
                answer["refresh_after"] = 60
                answer["timeline"] = {"policy": "never", "entries": [
                    {"date": "2031-02-03T04:05:06Z", "view": view(), "relevence": {"score": 1}}]}
            if fault == "members" and len(params) > 1:
                sys.exit(1)
            if fault == "print":
                print("debug", flush=True)
            if fault == "result":
                answer["result"] = "maybe"
            if fault == "reasonless":
                answer = {"result": "failed"}
            if fault == "offline":
                answer = {"result": "failed", "error": "no network"}
            if fault == "empty":
                answer = {"result": "noData"}
            if fault == "params":
                say({"id": "u", "method": "openURL", "params": {}})
        elif method == "performAction":
            if fault == "press":
                sys.exit(1)
            if params["action"] == "lamp":
                if fault == "toggle" and lamp:
                    sys.exit(1)
                lamp = not lamp
            elif params["action"] == "open":
                say({"id": "open", "method": "openURL", "params": {"url": "https://example.com/"}})
            else:
                try:
                    keep("count", str(count() + 1))
                except OSError:
                    if fault == "write":
                        raise
            answer = {"view": view()}
        elif method == "listDidMoveRow":
            if fault != "order" or seen[method] == 1:
                rows.reverse()
            answer = {"view": view()}
        elif method == "listShouldRemoveRow":
            answer = {"allowed": True}
        elif method == "listDidRemoveRow":
            rows.remove(params["row"])
            answer = {"view": view()}
        elif method == "widgetListPerformAddAction":
            rows.append("new")
            answer = {"view": view()}
        elif method == "configurationDidChange":
            unit = params["configuration"]["unit"]
            say({"method": "setView", "params": {"view": view()}})
        elif method in ("didReceiveNotification", "defaultsDidChange", "transferDidProgress",
                        "handleEventsForBackgroundURLSession"):
            heard.append(method)
            say({"method": "setView", "params": {"view": view()}})
        elif method == "viewWillAppear":
            if fault == "appear":
                time.sleep(1.3)
            if fault == "toil":
                end = time.process_time() + 0.4
                while time.process_time() < end:
                    pass
            answer = {"view": view("Loading" if fault == "forgetful" else None)}
            if fault == "empty" or fault == "reasonless":
                answer = {}
            if fault == "resample":
                samples += 1
                answer = {"view": view("sample %d" % samples)}
        elif method == "viewWillDisappear":
            # As long as it may take, when the view was on the screen for some seconds.
            if has("expired") and now[:19] > "2031-02-03T04:05:10":
                say({"id": "hold", "method": "beginExpiringActivity", "params": {"reason": "d"}})
        elif method == "expiringActivity":
            if fault != "expired":
                say({"method": "endExpiringActivity", "params": {"activity": params["activity"]}})
        elif method == "viewWillTransitionToSize":
            if fault == "transition" or fault == "still" and not params["animated"]:
                time.sleep(0.3)
            if fault == "wide" and params["size"]["width"] > 100:
                sys.exit(1)
            if fault == "sample":
                samples += 1
                answer = {"alongside": view("sample %d" % samples)}
            if fault == "narrow":
                answer = {"alongside": view()}
        elif method == "transitionDidComplete":
            if fault == "replaced" and not params["finished"]:
                sys.exit(1)
        elif method == "widgetActiveDisplayModeDidChange":
            mode = params["activeDisplayMode"]
            say({"method": "setView", "params": {"view": view()}})
        elif method == "clockDidChange":
            now = params["now"]
        elif method == "appearanceDidChange":
            if fault == "theme":
                sys.exit(1)
            for _ in range(200 if fault == "babble" else 0):
                print("x", flush=True)
        elif method == "didReceiveMemoryWarning":
            if fault == "memory":
                sys.exit(1)
        elif method == "shutdown":
            if fault == "content":
                keep("content")
            if fault == "stay":
                time.sleep(60)
            if fault == "handled":
                continue
            sys.exit(3 if fault == "code" else 0)
        elif method == "today/later" and fault == ("request" if "id" in call else "unknown"):
            sys.exit(1)
        elif "id" in call:
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
