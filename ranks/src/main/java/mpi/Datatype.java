package mpi;

import java.util.Arrays;

/**
 * What the items of a message are: elements of one basic type, and where they lie in a buffer.
 * Sizes and extents count elements, not bytes, in both dialects. In mpiJava's so do displacements:
 * Hvector and Hindexed differ from Vector and Indexed in not multiplying by the extent of the old
 * type. In Open MPI's, createHVector, createHIndexed, createStruct and createResized count bytes,
 * and a struct is made of bytes, whatever its fields are.
 */
@SuppressWarnings("MemberName")
public final class Datatype implements Freeable {
  private static final int LOWER_MARK = 10;
  private static final int UPPER_MARK = 11;

  /** The basic type's number in MPJ Express. */
  public int baseType;

  /** Null in a type without elements: MPI.NULL, LB, UB and what is built of nothing else. */
  final Basic basic;

  final Layout layout;
  private final Bounds bounds;
  final boolean contiguous;

  /** Whether its bytes are fields of other types: nothing to add up. */
  private final boolean isStruct;

  /** Of a pair of a value and an int, as MPI.DOUBLE_INT is: the value's type; otherwise null. */
  private final Basic pairValue;

  /** What the address of an item is a multiple of, in bytes. */
  private final int alignment;

  private Datatype(Basic basic, int baseType, Layout layout, Bounds bounds) {
    this(
        basic, baseType, layout, bounds, false, null, basic == null ? 1 : Math.max(1, basic.bytes));
  }

  private Datatype(
      Basic basic,
      int baseType,
      Layout layout,
      Bounds bounds,
      boolean isStruct,
      Basic pairValue,
      int alignment) {
    this.isStruct = isStruct;
    this.pairValue = pairValue;
    this.alignment = alignment;
    this.basic = basic;
    this.baseType = baseType;
    this.layout = layout;
    this.bounds = bounds;
    this.contiguous = layout.isContiguous(bounds.extent());
  }

  static Datatype of(Basic basic) {
    return new Datatype(
        basic,
        basic.code,
        new Layout.Builder().add(0, 1).build(),
        new Bounds(0, 1, false, false, true));
  }

  static Datatype nothing() {
    return new Datatype(null, 0, Layout.EMPTY, Bounds.NONE);
  }

  static Datatype lowerMark() {
    return new Datatype(null, LOWER_MARK, Layout.EMPTY, new Bounds(0, 0, true, false, false));
  }

  static Datatype upperMark() {
    return new Datatype(null, UPPER_MARK, Layout.EMPTY, new Bounds(0, 0, false, true, false));
  }

  public int getType() {
    return baseType;
  }

  public int getByteSize() {
    return basic == null ? 0 : layout.size * basic.bytes;
  }

  public int Extent() throws MPIException {
    return bounds.extent();
  }

  public int Size() throws MPIException {
    return layout.size;
  }

  public int Lb() throws MPIException {
    return bounds.lower;
  }

  public int Ub() throws MPIException {
    return bounds.upper;
  }

  /** Nothing to do: a datatype is ready when it is made. */
  public void Commit() throws MPIException {}

  @Override
  public void free() {}

  /** Empty, so that the collector does not treat datatypes apart. */
  @Override
  @SuppressWarnings({"deprecation", "removal", "Finalize"})
  public void finalize() throws MPIException {}

  boolean isStruct() {
    return isStruct;
  }

  Basic pairValue() {
    return pairValue;
  }

  // mpiJava's constructors

  public static Datatype Contiguous(int count, Datatype oldtype) throws MPIException {
    return blocks("Contiguous", new int[] {count}, new int[] {0}, new Datatype[] {oldtype});
  }

  public static Datatype Vector(int count, int blocklength, int stride, Datatype oldtype)
      throws MPIException {
    return strided("Vector", count, blocklength, stride * oldtype.Extent(), oldtype);
  }

  public static Datatype Hvector(int count, int blocklength, int stride, Datatype oldtype)
      throws MPIException {
    return strided("Hvector", count, blocklength, stride, oldtype);
  }

  public static Datatype Indexed(int[] blocklengths, int[] displacements, Datatype oldtype)
      throws MPIException {
    int[] scaled = displacements.clone();
    for (int block = 0; block < scaled.length; block++) {
      scaled[block] *= oldtype.Extent();
    }
    return indexed("Indexed", blocklengths, scaled, oldtype);
  }

  public static Datatype Hindexed(int[] blocklengths, int[] displacements, Datatype oldtype)
      throws MPIException {
    return indexed("Hindexed", blocklengths, displacements, oldtype);
  }

  public static Datatype Struct(int[] blocklengths, int[] displacements, Datatype[] types)
      throws MPIException {
    return blocks("Struct", blocklengths, displacements, types);
  }

  // Open MPI's

  public int getLb() throws MPIException {
    return Lb();
  }

  public int getExtent() throws MPIException {
    return Extent();
  }

  /** Where the first element lies, whatever bounds were set. */
  public int getTrueLb() throws MPIException {
    return (int) layout.first(1, 0);
  }

  public int getTrueExtent() throws MPIException {
    return (int) (layout.end(1, 0) - layout.first(1, 0));
  }

  public int getSize() throws MPIException {
    return Size();
  }

  public void commit() throws MPIException {}

  @SuppressWarnings("ReferenceEquality") // It is one object.
  public boolean isNull() {
    return this == MPI.DATATYPE_NULL;
  }

  /** The same type again: it never changes. */
  public Datatype dup() throws MPIException {
    return this;
  }

  @Override
  @SuppressWarnings("MethodDoesntCallSuperMethod")
  public Datatype clone() {
    return this;
  }

  public static Datatype createContiguous(int count, Datatype oldType) throws MPIException {
    return Contiguous(count, oldType);
  }

  public static Datatype createVector(int count, int blockLength, int stride, Datatype oldType)
      throws MPIException {
    return strided("createVector", count, blockLength, stride * oldType.Extent(), oldType);
  }

  /** The stride is in bytes. */
  public static Datatype createHVector(int count, int blockLength, int stride, Datatype oldType)
      throws MPIException {
    Datatype type = oldType.countingBytes(stride);
    return strided("createHVector", count, blockLength, stride / type.unit(), type);
  }

  public static Datatype createIndexed(int[] blockLengths, int[] displacements, Datatype oldType)
      throws MPIException {
    return Indexed(blockLengths, displacements, oldType);
  }

  /** Displacements are in bytes. */
  public static Datatype createHIndexed(int[] blockLengths, int[] displacements, Datatype oldType)
      throws MPIException {
    Datatype type = oldType.countingBytes(displacements);
    int[] elements = Arrays.stream(displacements).map(bytes -> bytes / type.unit()).toArray();
    return indexed("createHIndexed", blockLengths, elements, type);
  }

  /**
   * Displacements are in bytes. The extent is rounded up as a C compiler would, so that in an array
   * of structs every field is aligned.
   */
  public static Datatype createStruct(int[] blockLengths, int[] displacements, Datatype[] types)
      throws MPIException {
    Datatype[] fields = Arrays.stream(types).map(Datatype::inBytes).toArray(Datatype[]::new);
    Datatype raw = blocks("createStruct", blockLengths, displacements, fields);
    int alignment = Arrays.stream(types).mapToInt(type -> type.alignment).max().orElse(1);
    return new Datatype(
        raw.basic, raw.baseType, raw.layout, raw.bounds.padded(alignment), true, null, alignment);
  }

  /** Both bounds are in bytes. */
  public static Datatype createResized(Datatype oldType, int lb, int extent) throws MPIException {
    Datatype type = oldType.countingBytes(lb, extent);
    int lower = lb / type.unit();
    Bounds bounds = new Bounds(lower, lower + extent / type.unit(), true, true, true);
    return new Datatype(
        type.basic, type.baseType, type.layout, bounds, type.isStruct, null, type.alignment);
  }

  /** A value and an int behind it, aligned as in C: what MINLOC and MAXLOC combine. */
  static Datatype pair(Basic value) {
    Datatype struct =
        createStruct(
            new int[] {1, 1},
            new int[] {0, Math.max(value.bytes, Integer.BYTES)},
            new Datatype[] {of(value), of(Basic.INT)});
    return new Datatype(
        struct.basic, struct.baseType, struct.layout, struct.bounds, true, value, struct.alignment);
  }

  /** Bytes of an element. */
  private int unit() {
    return basic == null ? 1 : basic.bytes;
  }

  /** This type, or its bytes if one of these distances in bytes falls between its elements. */
  private Datatype countingBytes(int... distances) {
    Misuse.unless(basic != Basic.OBJECT, "Datatype", "objects have no fixed number of bytes", "");
    boolean fits = Arrays.stream(distances).allMatch(bytes -> bytes % unit() == 0);
    return fits ? this : inBytes();
  }

  /** The same items, made of bytes. */
  private Datatype inBytes() {
    Misuse.unless(basic != Basic.OBJECT, "Datatype", "objects have no fixed number of bytes", "");
    if (basic == null || basic == Basic.BYTE) {
      return this;
    }
    return new Datatype(
        Basic.BYTE,
        Basic.BYTE.code,
        layout.scaled(basic.bytes),
        bounds.scaled(basic.bytes),
        true,
        null,
        alignment);
  }

  private static Datatype strided(
      String call, int count, int blocklength, int stride, Datatype oldtype) {
    Misuse.unless(count >= 0, call, "the number of blocks is negative: ", count);
    int[] blocklengths = new int[count];
    int[] displacements = new int[count];
    for (int block = 0; block < count; block++) {
      blocklengths[block] = blocklength;
      displacements[block] = block * stride;
    }
    return indexed(call, blocklengths, displacements, oldtype);
  }

  private static Datatype indexed(
      String call, int[] blocklengths, int[] displacements, Datatype oldtype) {
    Datatype[] types = new Datatype[blocklengths.length];
    Arrays.fill(types, oldtype);
    return blocks(call, blocklengths, displacements, types);
  }

  private static Datatype blocks(
      String call, int[] blocklengths, int[] displacements, Datatype[] types) {
    Misuse.unless(
        blocklengths.length == displacements.length && blocklengths.length == types.length,
        call,
        "the arrays that describe its blocks differ in length: ",
        blocklengths.length + ", " + displacements.length + ", " + types.length);
    Basic basic = null;
    boolean isStruct = false;
    int alignment = 1;
    int code = MPI.UNDEFINED;
    Layout.Builder runs = new Layout.Builder();
    Bounds bounds = Bounds.NONE;
    for (int block = 0; block < types.length; block++) {
      Datatype type = types[block];
      int length = blocklengths[block];
      Misuse.unless(length >= 0, call, "the length of a block is negative: ", length);
      if (type.basic != null) {
        Misuse.unless(
            basic == null || basic == type.basic,
            call,
            "a datatype has elements of one basic type, here there are two: ",
            basic + " and " + type.basic);
        basic = type.basic;
        code = type.baseType;
        isStruct |= type.isStruct;
        alignment = Math.max(alignment, type.alignment);
      }
      if (length == 0) {
        continue;
      }
      int extent = type.bounds.extent();
      if (type.contiguous) {
        runs.add(displacements[block], length * type.layout.size);
      } else {
        for (int item = 0; item < length; item++) {
          runs.add(type.layout, displacements[block] + item * extent);
        }
      }
      if (!type.bounds.isNone()) {
        Bounds here = type.bounds.repeated(displacements[block], length);
        bounds = bounds.isNone() ? here : bounds.join(here);
      }
    }
    return new Datatype(basic, code, runs.build(), bounds, isStruct, null, alignment);
  }

  /**
   * From where to where an item reaches. A bound set by MPI.LB or MPI.UB wins over those that
   * follow from elements, and those win over the place of a mark for the other end.
   */
  private record Bounds(
      int lower, int upper, boolean lowerSet, boolean upperSet, boolean elements) {
    static final Bounds NONE = new Bounds(0, 0, false, false, false);

    int extent() {
      return upper - lower;
    }

    boolean isNone() {
      return !lowerSet && !upperSet && !elements;
    }

    Bounds scaled(int factor) {
      return new Bounds(lower * factor, upper * factor, lowerSet, upperSet, elements);
    }

    /** Reaching up to a multiple, unless the upper end was set. */
    Bounds padded(int alignment) {
      int rest = Math.floorMod(upper - lower, alignment);
      return rest == 0 || upperSet
          ? this
          : new Bounds(lower, upper + alignment - rest, lowerSet, upperSet, elements);
    }

    Bounds repeated(int displacement, int count) {
      int last = (count - 1) * extent();
      return new Bounds(
          displacement + lower + Math.min(0, last),
          displacement + upper + Math.max(0, last),
          lowerSet,
          upperSet,
          elements);
    }

    Bounds join(Bounds other) {
      int lowerRank = Integer.compare(rank(lowerSet), other.rank(other.lowerSet));
      int upperRank = Integer.compare(rank(upperSet), other.rank(other.upperSet));
      return new Bounds(
          lowerRank == 0 ? Math.min(lower, other.lower) : lowerRank > 0 ? lower : other.lower,
          upperRank == 0 ? Math.max(upper, other.upper) : upperRank > 0 ? upper : other.upper,
          lowerSet || other.lowerSet,
          upperSet || other.upperSet,
          elements || other.elements);
    }

    private int rank(boolean set) {
      return set ? 2 : elements ? 1 : 0;
    }
  }
}
