package org.railyard.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that reads files of the system, for example {@code @NeedsFile("/proc/self/net/tcp")}. If one of them is not
 * there, the test is skipped and says so on standard error; where {@link Ci} says that everything must run, it fails.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@ExtendWith(NeedsCondition.class)
public @interface NeedsFile {
    /** Returns the paths of the files or folders, absolute or from the folder of the module; all of them are needed. */
    String[] value();
}
