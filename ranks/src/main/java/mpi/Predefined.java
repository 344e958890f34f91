package mpi;

/**
 * The reductions that MPI defines. Each is written for int, long and double; the narrower types go
 * through these without loss: the sum or product of two floats, rounded to double and then to
 * float, is the float result.
 */
enum Predefined {
  MAX {
    @Override
    int of(int a, int b) {
      return Math.max(a, b);
    }

    @Override
    long of(long a, long b) {
      return Math.max(a, b);
    }

    @Override
    double of(double a, double b) {
      return Math.max(a, b);
    }
  },
  MIN {
    @Override
    int of(int a, int b) {
      return Math.min(a, b);
    }

    @Override
    long of(long a, long b) {
      return Math.min(a, b);
    }

    @Override
    double of(double a, double b) {
      return Math.min(a, b);
    }
  },
  SUM {
    @Override
    int of(int a, int b) {
      return a + b;
    }

    @Override
    long of(long a, long b) {
      return a + b;
    }

    @Override
    double of(double a, double b) {
      return a + b;
    }
  },
  PROD {
    @Override
    int of(int a, int b) {
      return a * b;
    }

    @Override
    long of(long a, long b) {
      return a * b;
    }

    @Override
    double of(double a, double b) {
      return a * b;
    }
  },
  LAND {
    @Override
    int of(int a, int b) {
      return a != 0 && b != 0 ? 1 : 0;
    }

    @Override
    long of(long a, long b) {
      return a != 0 && b != 0 ? 1 : 0;
    }
  },
  BAND {
    @Override
    int of(int a, int b) {
      return a & b;
    }

    @Override
    long of(long a, long b) {
      return a & b;
    }
  },
  LOR {
    @Override
    int of(int a, int b) {
      return a != 0 || b != 0 ? 1 : 0;
    }

    @Override
    long of(long a, long b) {
      return a != 0 || b != 0 ? 1 : 0;
    }
  },
  BOR {
    @Override
    int of(int a, int b) {
      return a | b;
    }

    @Override
    long of(long a, long b) {
      return a | b;
    }
  },
  LXOR {
    @Override
    int of(int a, int b) {
      return (a != 0) != (b != 0) ? 1 : 0;
    }

    @Override
    long of(long a, long b) {
      return (a != 0) != (b != 0) ? 1 : 0;
    }
  },
  BXOR {
    @Override
    int of(int a, int b) {
      return a ^ b;
    }

    @Override
    long of(long a, long b) {
      return a ^ b;
    }
  },
  MAXLOC,
  MINLOC;

  int of(int a, int b) {
    throw new IllegalStateException(this + " is not an operation on int");
  }

  long of(long a, long b) {
    throw new IllegalStateException(this + " is not an operation on long");
  }

  double of(double a, double b) {
    throw new IllegalStateException(this + " is not an operation on double");
  }

  boolean isOnPairs() {
    return this == MAXLOC || this == MINLOC;
  }

  /** Whether MPI defines it for these elements. */
  boolean takes(Basic basic) {
    return switch (basic) {
      case BYTE, CHAR, SHORT, INT, LONG -> true;
      case FLOAT, DOUBLE -> compareTo(PROD) <= 0 || isOnPairs();
      case BOOLEAN -> compareTo(LAND) >= 0 && compareTo(BXOR) <= 0;
      case PACKED, OBJECT -> false;
    };
  }

  /** Sets each element of inout, from its offset on, to "in op inout". */
  void combine(Basic basic, Object in, int inAt, Object inout, int at, int elements) {
    if (isOnPairs()) {
      locate(basic, in, inAt, inout, at, elements);
      return;
    }
    switch (basic) {
      case BYTE -> bytes((byte[]) in, inAt, (byte[]) inout, at, elements);
      case CHAR -> chars((char[]) in, inAt, (char[]) inout, at, elements);
      case SHORT -> shorts((short[]) in, inAt, (short[]) inout, at, elements);
      case BOOLEAN -> booleans((boolean[]) in, inAt, (boolean[]) inout, at, elements);
      case INT -> ints((int[]) in, inAt, (int[]) inout, at, elements);
      case LONG -> longs((long[]) in, inAt, (long[]) inout, at, elements);
      case FLOAT -> floats((float[]) in, inAt, (float[]) inout, at, elements);
      case DOUBLE -> doubles((double[]) in, inAt, (double[]) inout, at, elements);
      case PACKED, OBJECT -> throw new IllegalStateException(this + " on " + basic);
    }
  }

  private void bytes(byte[] in, int inAt, byte[] inout, int at, int elements) {
    for (int i = 0; i < elements; i++) {
      inout[at + i] = (byte) of((int) in[inAt + i], (int) inout[at + i]);
    }
  }

  private void chars(char[] in, int inAt, char[] inout, int at, int elements) {
    for (int i = 0; i < elements; i++) {
      inout[at + i] = (char) of((int) in[inAt + i], (int) inout[at + i]);
    }
  }

  private void shorts(short[] in, int inAt, short[] inout, int at, int elements) {
    for (int i = 0; i < elements; i++) {
      inout[at + i] = (short) of((int) in[inAt + i], (int) inout[at + i]);
    }
  }

  private void booleans(boolean[] in, int inAt, boolean[] inout, int at, int elements) {
    for (int i = 0; i < elements; i++) {
      inout[at + i] = of(in[inAt + i] ? 1 : 0, inout[at + i] ? 1 : 0) != 0;
    }
  }

  private void ints(int[] in, int inAt, int[] inout, int at, int elements) {
    for (int i = 0; i < elements; i++) {
      inout[at + i] = of(in[inAt + i], inout[at + i]);
    }
  }

  private void longs(long[] in, int inAt, long[] inout, int at, int elements) {
    for (int i = 0; i < elements; i++) {
      inout[at + i] = of(in[inAt + i], inout[at + i]);
    }
  }

  private void floats(float[] in, int inAt, float[] inout, int at, int elements) {
    for (int i = 0; i < elements; i++) {
      inout[at + i] = (float) of((double) in[inAt + i], (double) inout[at + i]);
    }
  }

  private void doubles(double[] in, int inAt, double[] inout, int at, int elements) {
    for (int i = 0; i < elements; i++) {
      inout[at + i] = of(in[inAt + i], inout[at + i]);
    }
  }

  /** Pairs (value, place): the better value wins, of equal values the lower place. */
  private void locate(Basic basic, Object in, int inAt, Object inout, int at, int elements) {
    for (int i = 0; i < elements; i += 2) {
      int order = compare(basic, in, inAt + i, inout, at + i);
      if (order == 0) {
        order = -compare(basic, in, inAt + i + 1, inout, at + i + 1);
      } else if (this == MINLOC) {
        order = -order;
      }
      if (order > 0) {
        System.arraycopy(in, inAt + i, inout, at + i, 2);
      }
    }
  }

  /** Positive if the first of two values wins, negative if the other does, 0 if they are equal. */
  int prefers(Basic basic, Object value, Object other) {
    int order = compare(basic, value, 0, other, 0);
    return this == MINLOC ? -order : order;
  }

  private static int compare(Basic basic, Object a, int i, Object b, int j) {
    return switch (basic) {
      case BYTE -> Byte.compare(((byte[]) a)[i], ((byte[]) b)[j]);
      case CHAR -> Character.compare(((char[]) a)[i], ((char[]) b)[j]);
      case SHORT -> Short.compare(((short[]) a)[i], ((short[]) b)[j]);
      case INT -> Integer.compare(((int[]) a)[i], ((int[]) b)[j]);
      case LONG -> Long.compare(((long[]) a)[i], ((long[]) b)[j]);
      case FLOAT -> Float.compare(((float[]) a)[i], ((float[]) b)[j]);
      case DOUBLE -> Double.compare(((double[]) a)[i], ((double[]) b)[j]);
      case BOOLEAN, PACKED, OBJECT -> throw new IllegalStateException("no order of " + basic);
    };
  }
}
