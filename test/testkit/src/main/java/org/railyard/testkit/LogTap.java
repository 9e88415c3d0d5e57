package org.railyard.testkit;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Keeps what is logged under a name. By reflection, since modules under test do not read the logging module. */
public final class LogTap implements AutoCloseable {
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private final Object logger;
    private final Class<?> filterType;

    /** Begins to listen to the logger with a name; not to those below it. */
    public LogTap(String name) {
        this(name, true);
    }

    private LogTap(String name, boolean listens) {
        try {
            Class<?> loggerType = Class.forName("java.util.logging.Logger");
            filterType = Class.forName("java.util.logging.Filter");
            logger = loggerType.getMethod("getLogger", String.class).invoke(null, name);
            Object filter = Proxy.newProxyInstance(
                    filterType.getClassLoader(), new Class<?>[] {filterType}, (proxy, method, args) -> {
                        if (method.getName().equals("isLoggable")) {
                            if (listens) {
                                keep(args[0]);
                            }
                            return listens;
                        }
                        return method.getName().equals("equals") ? proxy == args[0] : System.identityHashCode(proxy);
                    });
            setFilter(filter);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("this JVM does not log as expected", e);
        }
    }

    /** Keeps it from logging, and keeps nothing: for runs in which failures are wanted by the thousand. */
    public static LogTap quiet(String name) {
        return new LogTap(name, false);
    }

    private void setFilter(Object filter) throws ReflectiveOperationException {
        logger.getClass().getMethod("setFilter", filterType).invoke(logger, filter);
    }

    private void keep(Object logRecord) throws ReflectiveOperationException {
        String message = String.valueOf(get(logRecord, "getMessage"));
        Object[] parameters = (Object[]) get(logRecord, "getParameters");
        String text =
                parameters == null || parameters.length == 0 ? message : MessageFormat.format(message, parameters);
        lines.add(get(logRecord, "getLevel") + " " + text);
    }

    private static Object get(Object of, String getter) throws ReflectiveOperationException {
        Method method = of.getClass().getMethod(getter);
        return method.invoke(of);
    }

    /** Returns the lines so far, each with its level: SEVERE is an error. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        try {
            logger.getClass().getMethod("setFilter", filterType).invoke(logger, (Object) null);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("this JVM does not log as expected", e);
        }
    }
}
