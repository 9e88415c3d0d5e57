package org.railyard.mad.umad;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.mad.transport.MadTransport;
import org.railyard.mad.transport.MadTransportSuite;

/**
 * Runs the tests of {@link IbsimSuite} and prints a line for each: {@code passed NAME}, or {@code failed NAME} and why.
 * Surefire's own process can not do that: ibsim's library has to be there when a process starts, and its UDP sockets
 * are in a namespace of their own.
 */
final class SuiteProgram {
    private SuiteProgram() {}

    /**
     * Runs all of them.
     *
     * @param arguments nothing for libibumad, else port of ibsim's control socket and name of a channel adapter
     */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        MadTransport transport = arguments.length == 0
                ? UmadTransport.open(UmadSettings.manager(), RealClock.CLOCK)
                : IbsimUdp.open(Integer.parseInt(arguments[0]), arguments[1], RealClock.CLOCK);
        IbsimSuite suite = new IbsimSuite(transport);
        Method[] tests = Arrays.stream(MadTransportSuite.class.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .sorted(Comparator.comparing(Method::getName))
                .toArray(Method[]::new);
        for (Method test : tests) {
            try {
                all(suite, BeforeEach.class);
                try {
                    call(suite, test);
                } finally {
                    all(suite, AfterEach.class);
                }
                System.out.println("passed " + test.getName());
            } catch (InvocationTargetException e) {
                System.out.println("failed " + test.getName());
                e.printStackTrace(System.out);
            }
        }
        suite.closeAll();
        System.out.println("all " + tests.length + " done");
        // Its library leaves the simulator in an exit handler.
        System.exit(0);
    }

    private static void all(IbsimSuite suite, Class<? extends Annotation> annotation)
            throws ReflectiveOperationException {
        for (Method method : MadTransportSuite.class.getDeclaredMethods()) {
            if (method.isAnnotationPresent(annotation)) {
                call(suite, method);
            }
        }
    }

    private static void call(IbsimSuite suite, Method method) throws ReflectiveOperationException {
        method.setAccessible(true);
        method.invoke(suite);
    }
}
