package org.railyard.control;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The option of {@code lnetctl} for a component of an operation. Its help is the component's description everywhere:
 * in usage, manual page, completion, tables of the docs and {@code /openapi.json}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface CliOption {
    /** What it is, with unit and range, in one line. */
    String help();

    /** Its long name without dashes; if empty that of the component, with dashes. */
    String name() default "";

    /** A second long name; empty for none. */
    String alias() default "";

    /** Its letter; 0 for none. */
    char letter() default 0;

    /** What its value is called; nothing for a switch. */
    String value() default "N";

    /** Whether the command is refused without it. */
    boolean required() default false;

    /** Whether a list is given by repeating the option, instead of with commas. */
    boolean repeated() default false;

    /** Whether it is no option, but the words behind the options. */
    boolean words() default false;
}
