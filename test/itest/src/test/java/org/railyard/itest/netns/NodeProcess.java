package org.railyard.itest.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.railyard.itest.kit.Await;

/** A program in a namespace that reads one question per line and answers with one line. */
public final class NodeProcess implements AutoCloseable {
    private static final int LIMIT_SECONDS = 90;

    private final Process process;
    private final PrintStream questions;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    /** Starts a {@link NodeProgram} and waits until it is ready. */
    NodeProcess(Namespace namespace, String... arguments) throws IOException {
        this(namespace, NodeProgram.class, arguments);
    }

    /** Starts a program and waits until it is ready. */
    NodeProcess(Namespace namespace, Class<?> program, String... arguments) throws IOException {
        this(namespace.java(program, arguments));
    }

    /** Takes a program that was started and waits until it is ready. */
    public NodeProcess(Process started) {
        process = started;
        questions = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread.ofVirtual().start(this::read);
        assertThat(answer()).startsWith("ready");
    }

    private void read() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                answers.add(line);
            }
        } catch (IOException e) {
            // Killed.
        }
        answers.add("the program has ended");
    }

    private String answer() {
        try {
            String answer = answers.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
            if (answer == null) {
                throw new AssertionError("no answer within " + LIMIT_SECONDS + " s");
            }
            return answer;
        } catch (InterruptedException e) {
            throw Await.interrupted(e);
        }
    }

    /** Asks; returns the answer. */
    public String ask(String question) {
        questions.println(question);
        return answer();
    }

    /** Asks until the answer contains a text. */
    void awaitAnswer(String question, String text) {
        String[] last = {""};
        Await.until(() -> "'" + question + "' answered with '" + text + "', not '" + last[0] + "'", () -> {
            last[0] = ask(question);
            return last[0].contains(text);
        });
    }

    /** Returns the number behind a word of an answer. */
    static long number(String answer, String word) {
        String[] words = answer.split(" ");
        for (int i = 0; i + 1 < words.length; i++) {
            if (words[i].equals(word)) {
                return Long.parseLong(words[i + 1]);
            }
        }
        throw new AssertionError("no " + word + " in: " + answer);
    }

    /** Ends it from one moment to the next, as {@code kill -9} does. */
    void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            throw Await.interrupted(e);
        }
    }

    @Override
    public void close() {
        questions.close();
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("the node does not stop");
            }
        } catch (InterruptedException e) {
            throw Await.interrupted(e);
        }
    }
}
