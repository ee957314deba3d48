@main
struct Today {
  static func main() {}
}
