import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// Registries that are fetched from servers: a real sshd, and git's own program for HTTP, on the loopback.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct GalleryTransportTests {
  private let world: GalleryWorld

  init() throws {
    world = try GalleryWorld()
    try world.makeRegistry()
  }

  @Test(.enabled(if: SecureShellServer.isThere, "no sshd; install openssh-server"))
  func `a registry is fetched through the user's ssh`() throws {
    let server = try SecureShellServer(hasProgram: false)
    let settings = ["PATH": "\(try server.makeClient()):/usr/bin:/bin"]
    try use("ssh://there\(world.registry)", settings)
    server.stop()
    // What was fetched before is used, and the error is that of ssh.
    let found = try gallery(["search", "hello"], settings)
    #expect(found.outputText.hasPrefix("script.hello  "), "\(found.errorText)")
    let again = try gallery(["update"], settings)
    #expect(again.errorText.contains("ssh://there\(world.registry): git: "), "\(again.errorText)")
  }

  @Test func `a registry is fetched through https, from a server with a certificate that is known`()
    throws
  {
    let server = try GitServer(world)
    defer { server.stop() }
    let address = "\(server.address)/Lists"
    let unknown = try gallery(
      ["sources", "add", address, "--key", "\(world.registry)/minisign.pub"],
      [:]
    )
    #expect(unknown.status != .exited(code: 0))
    #expect(unknown.errorText.contains("certificate"), "\(unknown.errorText)")
    try use(address, ["GIT_SSL_CAINFO": server.certificate])
  }

  /// Adds a registry, installs from it and updates what was installed.
  private func use(_ address: String, _ settings: [String: String]) throws {
    let key = "\(world.registry)/minisign.pub"
    let added = try gallery(["sources", "add", address, "--key", key], settings)
    #expect(added.status == .exited(code: 0), "\(added.errorText)")
    let installed = try gallery(["install", "script.hello", "--yes"], settings)
    #expect(installed.status == .exited(code: 0), "\(installed.errorText)")
    #expect(try world.user.installed(["list"]).outputText.contains("script.hello"))
    try world.release(
      """
      printf '#!/bin/sh\\necho newer\\n' > scripts/hello.1h.sh
      sed -i 's/1.0.0/1.1.0/' entries/script.hello.json
      """
    )
    let updated = try gallery(["update"], settings)
    #expect(updated.status == .exited(code: 0), "\(updated.errorText)")
    let script = try world.shell("cat data/today/scripts/installed/hello.1h.sh")
    #expect(script.outputText.contains("newer"))
  }

  private func gallery(_ arguments: [String], _ settings: [String: String]) throws -> ProgramRun {
    var program = world.user.installedProgram(["gallery"] + arguments)
    program.environment.merge(settings) { $1 }
    return try ProgramRun(program)
  }
}

/// A server of repositories over https: Python's, which runs `git http-backend`.
///
/// A class because it owns the process.
private final class GitServer {
  /// The path of its certificate, which it has signed itself.
  let certificate: String
  let address: String
  private let process = Process()

  private static let program = """
    import http.server, ssl

    class Handler(http.server.CGIHTTPRequestHandler):
        cgi_directories = ["/cgi"]
        # A child would write past TLS, and as another user.
        have_fork = False

        def log_message(self, *_):
            pass

    class Server(http.server.HTTPServer):
        def shutdown_request(self, request):
            # The end of the connection is the end of the content, and must be said in TLS.
            try:
                request.settimeout(5)
                request.unwrap()
            except OSError:
                pass
            super().shutdown_request(request)

    server = Server(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("certificate.pem", "key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_port, flush=True)
    server.serve_forever()
    """

  /// Starts it on the repositories in the folder of a user.
  init(_ world: GalleryWorld) throws {
    let folder = "\(world.path)/server"
    certificate = "\(folder)/certificate.pem"
    try world.shell(
      """
      mkdir -p server/cgi; cd server
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
        -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out certificate.pem 2>openssl.log
      printf '#!/bin/sh\\nexec git http-backend\\n' >cgi/git; chmod 755 cgi/git
      """
    )
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-B", "-c", Self.program]
    process.currentDirectoryURL = URL(filePath: folder)
    process.environment = world.user.environment(term: nil).merging(
      ["GIT_PROJECT_ROOT": world.path, "GIT_HTTP_EXPORT_ALL": "1"]
    ) { $1 }
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let port = try #require(Int(line.prefix { $0 != "\n" }))
    address = "https://127.0.0.1:\(port)/cgi/git"
  }

  func stop() {
    let pid = process.processIdentifier
    kill(pid, SIGKILL)
    while let state = ProcessList.state(of: pid), state != "Z" { sched_yield() }
  }
}
