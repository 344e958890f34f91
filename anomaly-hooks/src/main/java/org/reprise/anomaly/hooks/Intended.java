package org.reprise.anomaly.hooks;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Nondeterminism on purpose: findings on this field, or with an access in this method or class, are
 * counted as masked. The verdict then says "validated except".
 */
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.CONSTRUCTOR, ElementType.TYPE})
public @interface Intended {
  /** Why it does no harm. */
  String value() default "";
}
