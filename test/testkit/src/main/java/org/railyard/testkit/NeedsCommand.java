package org.railyard.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that runs other programs, for example {@code @NeedsCommand("tshark")}. If one of them is not on the {@code
 * PATH}, the test is skipped and says so on standard error; where {@link Ci} says that everything must run, it fails.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@ExtendWith(NeedsCondition.class)
public @interface NeedsCommand {
    /** Returns the names of the programs; all of them are needed. */
    String[] value();
}
