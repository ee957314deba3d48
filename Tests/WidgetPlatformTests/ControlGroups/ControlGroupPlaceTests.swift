import Testing

@testable import WidgetPlatform

@Suite nonisolated struct ControlGroupPlaceTests {
  private static let hybrid = """
    25 20 0:22 / /sys/fs/cgroup ro,nosuid - tmpfs tmpfs ro,mode=755
    26 25 0:23 / /sys/fs/cgroup/memory rw shared:5 - cgroup cgroup rw,memory
    27 25 0:24 / /sys/fs/cgroup/unified rw,nosuid shared:6 - cgroup2 cgroup2 rw,nsdelegate
    """
  private static let unified = "31 24 0:27 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw"

  struct Case {
    var mounts: String
    var groups: String
    var folder: String?
  }

  @Test(arguments: [
    Case(
      mounts: unified,
      groups: "0::/user.slice/a.scope\n",
      folder: "/sys/fs/cgroup/user.slice/a.scope"
    ),
    Case(mounts: unified, groups: "0::/\n", folder: "/sys/fs/cgroup"),
    Case(
      mounts: hybrid,
      groups: "4:memory:/x\n0::/y\n",
      folder: "/sys/fs/cgroup/unified/y"
    ),
    // A container sees a part of the hierarchy.
    Case(
      mounts: "31 24 0:27 /box /sys/fs/cgroup rw - cgroup2 cgroup2 rw",
      groups: "0::/box/in\n",
      folder: "/sys/fs/cgroup/in"
    ),
    Case(
      mounts: "31 24 0:27 /box /sys/fs/cgroup rw - cgroup2 cgroup2 rw",
      groups: "0::/boxes\n",
      folder: nil
    ),
    Case(mounts: unified, groups: "0::/../other\n", folder: nil),
    Case(
      mounts: #"31 24 0:27 / /mnt/my\040groups rw - cgroup2 cgroup2 rw"#,
      groups: "0::/a b\n",
      folder: "/mnt/my groups/a b"
    ),
    Case(
      mounts: "26 25 0:23 / /sys/fs/cgroup/memory rw - cgroup cgroup rw",
      groups: "0::/\n",
      folder: nil
    ),
    Case(mounts: unified, groups: "4:memory:/\n", folder: nil),
    Case(mounts: "", groups: "", folder: nil),
    Case(mounts: "31 24 - cgroup2", groups: "0::/\n", folder: nil),
    Case(mounts: #"31 24 0:27 / \99 rw - cgroup2 cgroup2 rw"#, groups: "0::/\n", folder: #"\99"#),
  ])
  func `the folder of a group is found in the texts of the kernel`(_ example: Case) {
    #expect(
      ControlGroupPlace(mounts: example.mounts, groups: example.groups)?.folder == example.folder
    )
  }
}
