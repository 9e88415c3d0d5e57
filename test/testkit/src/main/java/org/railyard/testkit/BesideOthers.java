package org.railyard.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Set;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;

/**
 * A test class that runs beside other classes: its nodes are processes or namespaces of their own, and what it mostly
 * does is to wait for their time limits. Its methods run one after the other. Such a class has no node in this JVM, and
 * does not look at what all of the JVM shares: threads, loggers, memory.
 *
 * <p>Classes without this mark run one after the other; those that look at the JVM are {@link
 * org.junit.jupiter.api.parallel.Isolated} as well.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(providers = BesideOthers.Own.class)
public @interface BesideOthers {
    /**
     * Lock of those that send as much as they can, or whose limits are narrow: two at a time would take the processors
     * from each other, and limits of time would pass.
     */
    String TRAFFIC = "traffic";

    /** A lock of each class, which keeps its methods apart. */
    final class Own implements ResourceLocksProvider {
        @Override
        public Set<Lock> provideForClass(Class<?> testClass) {
            return Set.of(new Lock(testClass.getName()));
        }
    }
}
