class Sum { static int total;
  public static void main(String[] args) {
    java.util.stream.IntStream.range(0, 1000).parallel().forEach(i -> total += i);
    System.out.println(total == 499500);
  }
}
