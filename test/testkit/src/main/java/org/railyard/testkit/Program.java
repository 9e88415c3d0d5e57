package org.railyard.testkit;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A program that a test runs to its end, without input and within two minutes. Not thread-safe. */
public final class Program {
    private static final int LIMIT_SECONDS = 120;

    private final ProcessBuilder builder;

    private Program(List<String> words) {
        builder = new ProcessBuilder(words).redirectErrorStream(true);
    }

    /** Takes the program and its arguments. */
    public static Program of(String... words) {
        return new Program(List.of(words));
    }

    /** Takes the program and its arguments. */
    public static Program of(List<String> words) {
        return new Program(List.copyOf(words));
    }

    /**
     * Takes a class with a main method, for a JVM of its own with all that this one can load, be it in a module or not.
     *
     * @param options of that JVM
     */
    public static Program main(Class<?> main, List<String> options, String... arguments) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(options);
        words.add("-cp");
        words.add(Stream.of("jdk.module.path", "surefire.test.class.path", "java.class.path")
                .map(path -> System.getProperty(path, ""))
                .collect(Collectors.joining(File.pathSeparator)));
        words.add(main.getName());
        words.addAll(List.of(arguments));
        return of(words);
    }

    /** Takes the program and its arguments as one line of words without blanks. */
    public static Program line(String words) {
        return of(words.split(" "));
    }

    /** Lets it run in a directory. */
    public Program in(Path directory) {
        builder.directory(directory.toFile());
        return this;
    }

    /** Sets a variable of its environment. */
    public Program with(String variable, String value) {
        builder.environment().put(variable, value);
        return this;
    }

    /** Leaves out what it says on standard error. */
    public Program withoutErrors() {
        builder.redirectErrorStream(false).redirectError(ProcessBuilder.Redirect.DISCARD);
        return this;
    }

    /**
     * Runs it.
     *
     * @return what it says, on both streams
     * @throws AssertionError if it can not be run, fails, or does not end
     */
    public String run() {
        return run(0);
    }

    /**
     * Runs it.
     *
     * @param exit with which exit status it has to end
     * @return what it says, on both streams
     * @throws AssertionError if it can not be run, ends otherwise, or does not end
     */
    public String run(int exit) {
        Ended ended = end();
        if (ended.exit != exit) {
            throw new AssertionError(this + " ends with " + ended.exit + ", expected " + exit + ": " + ended.output);
        }
        return ended.output;
    }

    /**
     * Runs it.
     *
     * @return what it says, on both streams, whatever it ends with
     * @throws AssertionError if it can not be run or does not end
     */
    public String output() {
        return end().output;
    }

    private record Ended(int exit, String output) {}

    private Ended end() {
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new AssertionError(this + " can not be run", e);
        }
        CompletableFuture<Process> limited = process.onExit()
                .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                .whenComplete((_, late) -> {
                    if (late != null) {
                        // What it started has its output open, too.
                        process.descendants().forEach(ProcessHandle::destroyForcibly);
                        process.destroyForcibly();
                    }
                });
        try {
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int exit = process.waitFor();
            if (limited.isCompletedExceptionally()) {
                throw new AssertionError(this + " did not end within " + LIMIT_SECONDS + " s: " + output);
            }
            return new Ended(exit, output);
        } catch (IOException e) {
            throw new AssertionError(this + " can not be read", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(this + " was waited for and interrupted", e);
        }
    }

    @Override
    public String toString() {
        return String.join(" ", builder.command());
    }
}
