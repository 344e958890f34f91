package mpi;

/** What MPJ Express lets a program give back by hand; here the garbage collector does it. */
interface Freeable {
  void free();
}
