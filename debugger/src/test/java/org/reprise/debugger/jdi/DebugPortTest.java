package org.reprise.debugger.jdi;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.connect.spi.Connection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DebugPortTest {
  private static final String HANDSHAKE = "JDWP-Handshake";

  private static int port(DebugPort port) {
    String option = port.option();
    return Integer.parseInt(option.substring(option.lastIndexOf(':') + 1));
  }

  /** As whoever found the port: it is another process than the one that is waited for. */
  @Test
  void aStrangerIsTurnedAway() throws Exception {
    try (DebugPort port = new DebugPort()) {
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  port.accept(1);
                } catch (IOException e) {
                  // Closed at the end.
                }
              });
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(port))) {
        socket.getOutputStream().write(HANDSHAKE.getBytes(StandardCharsets.US_ASCII));
        assertThat(socket.getInputStream().readAllBytes()).isEmpty();
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("reset");
      }
    }
  }

  @Test
  void theProcessThatIsWaitedForIsAccepted() throws Exception {
    try (DebugPort port = new DebugPort();
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(port))) {
      byte[] words = HANDSHAKE.getBytes(StandardCharsets.US_ASCII);
      socket.getOutputStream().write(words);
      Connection connection = port.accept(ProcessHandle.current().pid());
      assertThat(socket.getInputStream().readNBytes(words.length)).isEqualTo(words);
      byte[] packet = {0, 0, 0, 11, 0, 0, 0, 1, 0, 1, 1};
      connection.writePacket(packet);
      assertThat(socket.getInputStream().readNBytes(packet.length)).isEqualTo(packet);
      socket.getOutputStream().write(packet);
      assertThat(connection.readPacket()).isEqualTo(packet);
      connection.close();
    }
  }
}
