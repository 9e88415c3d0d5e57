package org.railyard.lab.run;

/** Tells of an exception that should not have been. */
final class Crash {
    private static final int MAX_FRAMES = 8;

    private Crash() {}

    static String describe(Throwable failure) {
        StringBuilder text = new StringBuilder(failure.toString());
        StackTraceElement[] frames = failure.getStackTrace();
        for (int i = 0; i < Math.min(MAX_FRAMES, frames.length); i++) {
            text.append("; at ").append(frames[i].getClassName()).append('.').append(frames[i].getMethodName());
            text.append(':').append(frames[i].getLineNumber());
        }
        return text.toString();
    }
}
