package org.railyard.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.railyard.lab.observe.CallWatch;
import org.railyard.lab.observe.LndWatch;

/** Whoever watches a run is told of all that he has code for. */
class RunWatchTest {
    @Test
    void whoOverridesACallOfAWatcherIsCalled() throws IOException {
        Set<String> called = methodsThatRunWatchCalls();
        List<String> heard = new ArrayList<>();
        for (RecordComponent part : RunWatch.class.getRecordComponents()) {
            for (Class<?> watch : List.of(LndWatch.class, CallWatch.class)) {
                heard.addAll(overridden(watch, part.getType()));
            }
        }
        assertThat(heard).hasSizeGreaterThan(30);
        assertThat(called).containsAll(heard);
    }

    /** Returns what of an interface a class has its own code for. */
    private static List<String> overridden(Class<?> watch, Class<?> type) {
        List<String> own = new ArrayList<>();
        if (watch.isAssignableFrom(type)) {
            for (Method method : watch.getDeclaredMethods()) {
                try {
                    Class<?> owner = type.getMethod(method.getName(), method.getParameterTypes())
                            .getDeclaringClass();
                    if (owner != watch) {
                        own.add(name(type.descriptorString(), method.getName()));
                    }
                } catch (NoSuchMethodException e) {
                    throw new AssertionError(e);
                }
            }
        }
        return own;
    }

    private static Set<String> methodsThatRunWatchCalls() throws IOException {
        Set<String> called = new TreeSet<>();
        try (InputStream in = RunWatch.class.getResourceAsStream("RunWatch.class")) {
            assertThat(in).isNotNull();
            for (PoolEntry entry : ClassFile.of().parse(in.readAllBytes()).constantPool()) {
                if (entry instanceof MemberRefEntry member) {
                    called.add(name(
                            member.owner().asSymbol().descriptorString(),
                            member.name().stringValue()));
                }
            }
        }
        return called;
    }

    private static String name(String type, String method) {
        return type + " " + method;
    }
}
