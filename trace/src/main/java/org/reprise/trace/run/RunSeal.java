package org.reprise.trace.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.reprise.trace.TraceError;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.file.RunFile;

/**
 * How a user knows a run as their own. A replay executes what run.json says, so it must be known
 * who wrote that. Whoever records seals the run: the file {@code seal} in it authenticates what a
 * replay would execute (command, directory, environment, compiler) and what it would be given to
 * read, with a key that never leaves the user's own files. The seal holds wherever the run is moved
 * or copied to, and nobody else can make one. A run without a seal is nobody's: what unpacks it can
 * choose every date in it.
 */
public final class RunSeal {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int KEY_BYTES = 32;
  private static final int SEAL_BYTES_MAX = 1024;

  private final Path keyFile;

  private RunSeal(Path keyFile) {
    this.keyFile = keyFile;
  }

  /**
   * That of a user: the key is in {@code $XDG_STATE_HOME/reprise}, else {@code
   * ~/.local/state/reprise}. Not with the runs: somebody who unpacks a run there must not get a key
   * with it.
   */
  public static RunSeal of(Map<String, String> environment) {
    String xdg = environment.getOrDefault("XDG_STATE_HOME", "");
    String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
    Path state = xdg.startsWith("/") ? Path.of(xdg) : Path.of(home, ".local", "state");
    return new RunSeal(state.resolve("reprise").resolve("run-key"));
  }

  /** Seals a run as it is now, in place of an older seal. */
  public void put(RunDirectory run, RunDescription description) throws IOException {
    byte[] key = key();
    String text = HexFormat.of().formatHex(execution(key, run, description)) + "\n";
    if (hasSealedInput(run, description)) {
      text += HexFormat.of().formatHex(input(key, run)) + "\n";
    }
    Path fresh = PrivateFiles.createFile(run.path().resolve("seal.new"));
    Files.writeString(fresh, text);
    Files.move(fresh, run.sealFile(), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Why a run is not the user's own; empty if it is. */
  public Optional<String> doubt(RunDirectory run, RunDescription description) {
    try {
      Optional<String> files = filesOfOthers(run);
      if (files.isPresent()) {
        return files;
      }
      return isSealed(run, description)
          ? Optional.empty()
          : Optional.of("it was not recorded by you on this machine, or was changed since");
    } catch (IOException | TraceError e) {
      return Optional.of("its files cannot be looked at: " + e.getMessage());
    }
  }

  /** Whoever can write a run decides what a replay executes. */
  private static Optional<String> filesOfOthers(RunDirectory run) throws IOException {
    Optional<String> others = PrivateFiles.writableByOthers(run.path().toRealPath());
    try (Stream<Path> entries = Files.list(run.path())) {
      for (Path file : (Iterable<Path>) entries::iterator) {
        if (others.isPresent()) {
          return others;
        }
        others = PrivateFiles.writableByOthers(file);
      }
    }
    return others;
  }

  private boolean isSealed(RunDirectory run, RunDescription description) throws IOException {
    if (!RunFile.isThere(run.sealFile())) {
      return false;
    }
    byte[] key = key();
    List<String> seal;
    try (InputStream in = RunFile.stream(run.sealFile())) {
      seal = new String(in.readNBytes(SEAL_BYTES_MAX), StandardCharsets.US_ASCII).lines().toList();
    }
    return matches(seal, 0, execution(key, run, description))
        && (!hasSealedInput(run, description) || matches(seal, 1, input(key, run)));
  }

  /** A recording whose recorder was killed was sealed when it began, before there was any input. */
  private static boolean hasSealedInput(RunDirectory run, RunDescription description) {
    return !(description.ending() instanceof Ending.Unfinished) && RunFile.isThere(run.stdinFile());
  }

  private static boolean matches(List<String> seal, int line, byte[] expected) {
    return seal.size() > line
        && MessageDigest.isEqual(
            seal.get(line).getBytes(StandardCharsets.US_ASCII),
            HexFormat.of().formatHex(expected).getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Everything that decides which processes a replay starts, and the size of its input: a file of
   * holes would take hours to authenticate.
   */
  private static byte[] execution(byte[] key, RunDirectory run, RunDescription description)
      throws IOException {
    Mac mac = mac(key, "execution");
    boolean begun = description.ending() instanceof Ending.Unfinished;
    boolean input = hasSealedInput(run, description);
    add(mac, begun ? "begun" : input ? String.valueOf(RunFile.size(run.stdinFile())) : "none");
    add(mac, description.mpi().family().name());
    add(mac, description.mpi().mpicc());
    add(mac, description.directory());
    add(mac, String.valueOf(description.command().size()));
    description.command().forEach(word -> add(mac, word));
    description
        .environment()
        .forEach(
            (variable, value) -> {
              add(mac, variable);
              add(mac, value);
            });
    return mac.doFinal();
  }

  private static byte[] input(byte[] key, RunDirectory run) throws IOException {
    Mac mac = mac(key, "input");
    try (InputStream in = RunFile.stream(run.stdinFile())) {
      byte[] buffer = new byte[64 * 1024];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        mac.update(buffer, 0, count);
      }
    }
    return mac.doFinal();
  }

  private static Mac mac(byte[] key, String purpose) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      add(mac, purpose);
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** With its length before it, so that no two lists of texts are the same bytes. */
  private static void add(Mac mac, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    mac.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
    mac.update(bytes);
  }

  /**
   * Makes codes under this user's key, for files in a run directory that are only believed if this
   * user wrote them.
   *
   * @param purpose codes for one purpose say nothing for another
   */
  public Mac codes(String purpose) throws IOException {
    return mac(key(), purpose);
  }

  private byte[] key() throws IOException {
    Optional<byte[]> existing = existingKey();
    return existing.isPresent() ? existing.get() : newKey();
  }

  /** The key, if there is one that nobody else can have read or written. */
  private Optional<byte[]> existingKey() throws IOException {
    if (!RunFile.isThere(keyFile)) {
      return Optional.empty();
    }
    boolean isPrivate =
        PrivateFiles.writableByOthers(keyFile).isEmpty()
            && Files.getPosixFilePermissions(keyFile, LinkOption.NOFOLLOW_LINKS)
                .equals(PosixFilePermissions.fromString("rw-------"));
    if (!isPrivate) {
      throw new IOException(keyFile + " can be read or written by others; remove it");
    }
    try (InputStream in = RunFile.stream(keyFile)) {
      byte[] key = in.readNBytes(KEY_BYTES + 1);
      if (key.length != KEY_BYTES) {
        throw new IOException(keyFile + " is damaged; remove it");
      }
      return Optional.of(key);
    }
  }

  /** Makes the key; of two Reprises that do so at once, the first one's counts. */
  private byte[] newKey() throws IOException {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    Path directory = PrivateFiles.createDirectories(keyFile.toAbsolutePath().resolveSibling(""));
    Path workshop = PrivateFiles.createTemporaryDirectory(directory, "key-");
    try {
      Path fresh = PrivateFiles.createFile(workshop.resolve("run-key"));
      Files.write(fresh, key);
      try {
        Files.createLink(keyFile, fresh);
      } catch (FileAlreadyExistsException e) {
        return existingKey().orElse(key);
      } catch (UnsupportedOperationException | FileSystemException noLinks) {
        Files.move(fresh, keyFile);
      }
      return key;
    } finally {
      PrivateFiles.removeTree(workshop);
    }
  }
}
