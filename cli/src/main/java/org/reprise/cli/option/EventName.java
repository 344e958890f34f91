package org.reprise.cli.option;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How a user names an event: its rank and its number there, as {@code reprise events} counts. */
public record EventName(int rank, int number) {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9}):(\\d{1,9})");

  public static final class Converter implements ITypeConverter<EventName> {
    @Override
    public EventName convert(String typed) {
      Matcher form = FORM.matcher(typed);
      if (!form.matches()) {
        throw new TypeConversionException(
            "'" + typed + "' is not an event; give its rank and number, like 2:17");
      }
      return new EventName(Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2)));
    }
  }

  @Override
  public String toString() {
    return rank + ":" + number;
  }
}
