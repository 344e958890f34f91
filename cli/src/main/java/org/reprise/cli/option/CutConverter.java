package org.reprise.cli.option;

import org.reprise.causality.Cut;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A cut as users type it. */
public final class CutConverter implements ITypeConverter<Cut> {
  @Override
  public Cut convert(String typed) {
    return Cut.parse(typed)
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'"
                        + typed
                        + "' is not a cut; give a number of calls for each rank, like 5,7+,3"));
  }
}
