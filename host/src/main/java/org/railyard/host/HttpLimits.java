package org.railyard.host;

/**
 * Limits of the JDK's HTTP server, so that callers who connect and say nothing do not hold it up. They hold for the
 * whole program.
 */
public final class HttpLimits {
    private static final String MAX_CONNECTIONS = "256";
    private static final String MAX_REQUEST_SECONDS = "10";
    private static final String MAX_ANSWER_SECONDS = "300";

    private HttpLimits() {}

    /**
     * Limits connections, and the time in which a request must have come. The server reads them once: to be called
     * before each is made. What was given on the command line of the JVM stays.
     */
    public static void set() {
        setIfAbsent("jdk.httpserver.maxConnections", MAX_CONNECTIONS);
        setIfAbsent("sun.net.httpserver.maxReqTime", MAX_REQUEST_SECONDS);
    }

    /** Limits the time of an answer, too: for programs with no answer that goes on for ever. */
    public static void setWithAnswers() {
        set();
        setIfAbsent("sun.net.httpserver.maxRspTime", MAX_ANSWER_SECONDS);
    }

    private static void setIfAbsent(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
