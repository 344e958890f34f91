package org.reprise.launch.explore;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.reprise.trace.UserError;
import org.reprise.trace.text.Words;

/** A copy of a program's directory, in which it may write what it likes. */
final class DirectoryCopy {
  /** More than this is most likely not meant to be copied for each run. */
  private static final long BYTES_MAX = 1L << 30;

  /** Fills an empty directory with all that another has; links stay links. */
  static void make(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          private long bytes;

          @Override
          public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes)
              throws IOException {
            // A place for runs may lie inside: it is not the program's, and would hold its copy.
            if (to.startsWith(each) && !each.equals(from)) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            if (!each.equals(from)) {
              Files.createDirectory(to.resolve(from.relativize(each)));
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path each, BasicFileAttributes attributes)
              throws IOException {
            bytes += attributes.size();
            if (bytes > BYTES_MAX) {
              throw new UserError(
                  "the directory is too large to be copied for each run",
                  from + " has more than " + Words.bytes(BYTES_MAX),
                  "start the program in a directory that has only what it needs");
            }
            if (attributes.isRegularFile() || attributes.isSymbolicLink()) {
              Files.copy(
                  each,
                  to.resolve(from.relativize(each)),
                  StandardCopyOption.COPY_ATTRIBUTES,
                  LinkOption.NOFOLLOW_LINKS);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private DirectoryCopy() {}
}
