package org.railyard.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the requirements that a test shows, for example {@code @Requirement("snd-045")}.
 *
 * <p>The build collects these annotations into {@code docs/requirements.md} and fails on an id that no specification
 * has.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Requirement {
    /** Returns the requirement ids, as the specification spells them. */
    String[] value();
}
