package org.reprise.debugger.jdi;

import com.sun.jdi.connect.spi.Connection;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where a child JVM connects to its debugger. We listen and it connects, so it listens to nobody;
 * and of those who connect, only the socket that is the child's own is accepted, as the kernel says
 * it. Nobody else on this machine gets at the program, or can pass for it.
 */
final class DebugPort implements AutoCloseable {
  private static final byte[] HANDSHAKE = "JDWP-Handshake".getBytes(StandardCharsets.US_ASCII);
  private static final int HANDSHAKE_MILLIS = 60_000;
  private static final int LENGTH_BYTES = 4;
  private static final int HEADER_BYTES = 11;
  private static final int PACKET_BYTES_MAX = 1 << 30;
  private static final int INODE_FIELD = 9;
  private static final Pattern SPACES = Pattern.compile("\\s+");

  private final ServerSocket server;

  DebugPort() throws IOException {
    server = new ServerSocket(0, 16, InetAddress.ofLiteral("127.0.0.1"));
  }

  /** The option by which a JVM connects. */
  String option() {
    return "-agentlib:jdwp=transport=dt_socket,server=n,suspend=n,address=127.0.0.1:"
        + server.getLocalPort();
  }

  /** Waits for this process, and turns everybody else away; nobody can connect from then on. */
  Connection accept(long process) throws IOException {
    while (true) {
      Socket socket = server.accept();
      boolean taken = false;
      try {
        if (isOf(process, socket)) {
          Connection connection = shakeHands(socket);
          taken = true;
          server.close();
          return connection;
        }
      } finally {
        if (!taken) {
          socket.close();
        }
      }
    }
  }

  private static boolean isOf(long process, Socket socket) throws IOException {
    Optional<String> inode = inode(socket.getPort(), socket.getLocalPort());
    if (inode.isEmpty()) {
      return false;
    }
    Path descriptors = Path.of("/proc", Long.toString(process), "fd");
    try (DirectoryStream<Path> open = Files.newDirectoryStream(descriptors)) {
      for (Path descriptor : open) {
        if (isLinkTo(descriptor, "socket:[" + inode.get() + "]")) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isLinkTo(Path link, String target) {
    try {
      return Files.readSymbolicLink(link).toString().equals(target);
    } catch (IOException e) {
      return false; // closed meanwhile
    }
  }

  /** The kernel's number of the socket at the other end. */
  private static Optional<String> inode(int from, int to) throws IOException {
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      if (!Files.exists(Path.of(table))) {
        continue;
      }
      for (String line : Files.readAllLines(Path.of(table))) {
        String[] fields = SPACES.split(line.strip());
        if (fields.length > INODE_FIELD && isPort(fields[1], from) && isPort(fields[2], to)) {
          return Optional.of(fields[INODE_FIELD]);
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isPort(String address, int port) {
    return address.endsWith(":%04X".formatted(port));
  }

  private static Connection shakeHands(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(HANDSHAKE_MILLIS);
    DataInputStream in = new DataInputStream(socket.getInputStream());
    OutputStream out = socket.getOutputStream();
    out.write(HANDSHAKE);
    out.flush();
    byte[] answer = new byte[HANDSHAKE.length];
    in.readFully(answer);
    if (!Arrays.equals(answer, HANDSHAKE)) {
      throw new IOException("what connected speaks another protocol");
    }
    socket.setSoTimeout(0);
    return new Packets(socket, in, out);
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      // Nobody can connect either way.
    }
  }

  /** Packets of the Java debug wire protocol: each begins with its length. */
  private static final class Packets extends Connection {
    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;

    Packets(Socket socket, DataInputStream in, OutputStream out) {
      this.socket = socket;
      this.in = in;
      this.out = out;
    }

    @Override
    public byte[] readPacket() throws IOException {
      int length;
      try {
        length = in.readInt();
      } catch (EOFException e) {
        return new byte[0];
      }
      if (length < HEADER_BYTES || length > PACKET_BYTES_MAX) {
        throw new IOException("a packet of " + length + " bytes");
      }
      byte[] packet = new byte[length];
      ByteBuffer.wrap(packet).putInt(length);
      in.readFully(packet, LENGTH_BYTES, length - LENGTH_BYTES);
      return packet;
    }

    @Override
    public void writePacket(byte[] packet) throws IOException {
      synchronized (out) {
        out.write(packet);
        out.flush();
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }

    @Override
    public boolean isOpen() {
      return !socket.isClosed();
    }
  }
}
