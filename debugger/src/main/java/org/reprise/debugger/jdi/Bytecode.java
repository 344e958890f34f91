package org.reprise.debugger.jdi;

import com.sun.jdi.Location;
import org.reprise.debugger.source.SourceError;

/** Instructions that call methods, as they lie in class files (JVMS 6.5). */
final class Bytecode {
  private static final int INVOKE_VIRTUAL = 0xb6;
  private static final int INVOKE_STATIC = 0xb8;
  private static final int INVOKE_INTERFACE = 0xb9;
  private static final int INVOKE_DYNAMIC = 0xba;
  private static final int SHORT_BYTES = 3;
  private static final int LONG_BYTES = 5;

  /** How long the call is that a frame stands in. */
  static int lengthAt(Location call) {
    int opcode = call.method().bytecodes()[(int) call.codeIndex()] & 0xff;
    if (opcode >= INVOKE_VIRTUAL && opcode <= INVOKE_STATIC) {
      return SHORT_BYTES;
    }
    if (opcode == INVOKE_INTERFACE || opcode == INVOKE_DYNAMIC) {
      return LONG_BYTES;
    }
    throw new SourceError("the rank loads a class here; continue first");
  }

  private Bytecode() {}
}
