package org.reprise.cli.option;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.reprise.causality.Cut;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A cut as users type and read it: for each rank from how many calls it has returned, and a plus if
 * it is inside the next one.
 */
public final class CutText implements ITypeConverter<Cut> {
  private static final Pattern PLACE = Pattern.compile("(\\d{1,9})(\\+?)");

  @Override
  public Cut convert(String typed) {
    List<Integer> moments = new ArrayList<>();
    for (String each : typed.split(",", -1)) {
      Matcher place = PLACE.matcher(each);
      if (!place.matches()) {
        throw new TypeConversionException(
            "'" + typed + "' is not a cut; give a number of calls for each rank, like 5,7+,3");
      }
      moments.add(2 * Integer.parseInt(place.group(1)) + place.group(2).length());
    }
    return new Cut(moments.stream().mapToInt(Integer::intValue).toArray());
  }

  public static String of(Cut cut) {
    return Arrays.stream(cut.moments())
        .mapToObj(moment -> moment / 2 + (moment % 2 == 0 ? "" : "+"))
        .collect(Collectors.joining(","));
  }
}
