package org.reprise.ranks.host;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method that program classes call in place of one of the JDK's: of the same name, with the
 * same parameters. One that replaces an instance method takes the instance first.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface InPlaceOf {
  /** The classes the program may name in its call. */
  Class<?>[] value();

  /** Whether a static field of this name is meant, which the program reads. */
  boolean field() default false;
}
