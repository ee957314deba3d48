"""The file systems of a table of mounts (proc_pid_mountinfo(5)), each with the folders on which it is mounted."""

import os
import re

# File systems that keep files, whatever their source is; the rest that have no device are views of the kernel, or of
# other file systems.
KINDS = {
    "ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "jfs", "nilfs2", "reiserfs", "bcachefs", "vfat", "exfat",
    "ntfs", "ntfs3", "hfsplus", "apfs", "nfs", "nfs4", "cifs", "smb3", "ceph", "9p", "virtiofs", "fuseblk",
    "fuse.sshfs", "fuse.rclone", "fuse.glusterfs", "fuse.mergerfs", "fuse.ntfs-3g", "fuse.s3fs", "fuse.ceph", "fuse.juicefs",
    "fuse.davfs", "fuse.ceph-fuse", "fuse.gcsfuse", "fuse.shfs", "fuse.vmhgfs-fuse", "fuse.apfs-fuse", "fuse.bcachefs",
    "fuse.mfs", "fuse.moosefs", "fuse.blobfuse2", "fuse.geesefs", "jffs2", "afs", "wekafs", "vxfs", "acfs", "vboxsf",
    "prl_fs", "drvfs", "smbfs", "msdos", "hfs", "ufs", "ubifs", "ocfs2", "gfs2", "gpfs", "lustre", "beegfs", "orangefs", "pvfs2",
}
# Sources that many file systems have.
NAMELESS = {"", "none", "fuse", "overlay", "tmpfs", "rootfs"}


class Mount:
    def __init__(self, order, number, root, folder, kind, source, is_writable):
        self.order, self.number, self.root, self.folder, self.kind, self.source = order, number, root, folder, kind, source
        self.is_writable = is_writable

    @property
    def keeps_files(self):
        """Whether it is of a kind that does, or of any kind on a device; what cannot be written is an image, or a disc.

        A program that shows a device in another form (FUSE) has files of its own.
        """
        is_on_device = self.source.startswith("/dev/") and not self.kind.startswith("fuse")
        return self.kind in KINDS or (is_on_device and self.is_writable)

    @property
    def rank(self):
        """The lowest is the own place of a file system: the root of the machine, else where all of it is mounted first.

        A bind mount has a part of it. Of btrfs a subvolume is mounted, which is a part too.
        """
        return self.folder != "/", len([part for part in self.root.split("/") if part]), self.order


def mounts(content):
    """The mounts of a table in its order, and the number of lines that cannot be read."""
    found, unread = {}, 0
    for order, line in enumerate(content.decode("utf-8", "surrogateescape").split("\n")):
        if not line:
            continue
        fields, is_whole, rest = line.partition(" - ")
        fields, rest = fields.split(" "), rest.split(" ")
        if len(fields) < 6 or not is_whole or len(rest) < 2:
            unread += 1
            continue
        folder = plain(fields[4])
        # A later mount on the same folder hides the one before.
        found.pop(folder, None)
        is_writable = all("ro" not in options.split(",") for options in (fields[5], *rest[2:3]))
        found[folder] = Mount(order, fields[2], plain(fields[3]), folder, rest[0], plain(rest[1]), is_writable)
    return list(found.values()), unread


def plain(field):
    """A field in which blanks and backslashes, and any other bytes, are octal numbers: a\\040b, Gr\\303\\266e."""
    content = field.encode("utf-8", "surrogateescape")
    content = re.sub(rb"\\([0-3][0-7]{2})", lambda match: bytes([int(match.group(1), 8)]), content)
    return content.decode("utf-8", "surrogateescape")


def disks(found):
    """The folders of each file system that keeps files, its own place first; sorted by those."""
    groups = []
    for mount in sorted(found, key=lambda one: one.rank):
        # The root of a container is a view of other file systems, and all that it has.
        if mount.folder != "/" and (not mount.keeps_files or is_file(mount)):
            continue
        group = next((group for group in groups if any(is_same(mount, one) for one in group)), None)
        if group:
            group.append(mount)
        else:
            groups.append([mount])
    return sorted([mount.folder for mount in group] for group in groups)


def is_same(one, other):
    if one.number == other.number:
        return True
    return one.source == other.source and one.kind == other.kind and has_name(one)


def has_name(mount):
    """Whether a source tells a file system from others: many programs only give their own name, as s3fs does."""
    return mount.source not in NAMELESS and mount.source.lower() != mount.kind.removeprefix("fuse.").lower()


def is_file(mount):
    """Whether a single file is mounted, as in containers; a server that does not answer is not asked."""
    return mount.source.startswith("/dev/") and os.path.exists(mount.folder) and not os.path.isdir(mount.folder)
