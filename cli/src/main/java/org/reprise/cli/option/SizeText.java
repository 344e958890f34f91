package org.reprise.cli.option;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Bytes as users type them: 500m, 4g. */
public final class SizeText implements ITypeConverter<Long> {
  private static final Pattern FORM = Pattern.compile("([1-9]\\d{0,9})([kmg])b?");

  @Override
  public Long convert(String typed) {
    Matcher form = FORM.matcher(typed.toLowerCase(Locale.ROOT));
    if (!form.matches()) {
      throw new TypeConversionException("'" + typed + "' is not a size; give one like 500m or 4g");
    }
    int shift =
        switch (form.group(2)) {
          case "k" -> 10;
          case "m" -> 20;
          default -> 30;
        };
    return Long.parseLong(form.group(1)) << shift;
  }
}
