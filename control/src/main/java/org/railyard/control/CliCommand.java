package org.railyard.control;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The command of {@code lnetctl} for an operation; its options are the components with {@link CliOption}. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface CliCommand {
    /** Its words, such as {@code net add}. */
    String value();

    /** What it does, in one line. */
    String help();
}
