package org.reprise.cli.option;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reprise.recovery.Period;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A length of time as users type and read it: 2s, 0.5s, 300ms, 50us, 3m. */
public final class PeriodText implements ITypeConverter<Period.OfTime> {
  private static final Pattern FORM =
      Pattern.compile("(\\d{1,15}(?:\\.\\d{1,9})?)(ns|us|ms|s|m|h)");
  private static final long SECOND = 1_000_000_000L;
  private static final Map<String, Long> UNITS =
      Map.of(
          "ns",
          1L,
          "us",
          1000L,
          "ms",
          1_000_000L,
          "s",
          SECOND,
          "m",
          60 * SECOND,
          "h",
          3600 * SECOND);

  @Override
  public Period.OfTime convert(String typed) {
    Matcher form = FORM.matcher(typed.toLowerCase(Locale.ROOT));
    long nanos =
        form.matches()
            ? new BigDecimal(form.group(1))
                .multiply(BigDecimal.valueOf(UNITS.getOrDefault(form.group(2), 0L)))
                .longValue()
            : 0;
    if (nanos <= 0) {
      throw new TypeConversionException(
          "'" + typed + "' is not a period; give a length of time, like 2s, 300ms or 1.5m");
    }
    return new Period.OfTime(nanos);
  }

  /** Nanoseconds in the unit that suits them: {@code 1.20 s}, {@code 35 us}. */
  public static String of(long nanos) {
    return nanos >= SECOND
        ? String.format(Locale.ROOT, "%.2f s", (double) nanos / SECOND)
        : nanos >= 1_000_000
            ? String.format(Locale.ROOT, "%.1f ms", nanos / 1e6)
            : String.format(Locale.ROOT, "%.0f us", nanos / 1e3);
  }
}
