package org.railyard.node.facts;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.railyard.doctor.HostFacts.Way;

/**
 * Asks the kernel which way packets go, with the program {@code ip}: rules and tables of all kinds are in its answer.
 */
final class IpRoute {
    private static final int LIMIT_SECONDS = 3;
    private static final int MAX_ANSWER = 4096;

    private IpRoute() {}

    static Way get(InetAddress from, InetAddress to) {
        ProcessBuilder command =
                new ProcessBuilder(List.of("ip", "route", "get", to.getHostAddress(), "from", from.getHostAddress()));
        command.environment().put("LC_ALL", "C");
        command.redirectErrorStream(true);
        Process process;
        try {
            process = command.start();
        } catch (IOException e) {
            return new Way(Way.Kind.UNKNOWN, "the program ip is not installed (package iproute2)");
        }
        try {
            process.getOutputStream().close();
            // Its answer is shorter than what a pipe holds.
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return new Way(Way.Kind.UNKNOWN, "'ip route get' does not end");
            }
            String answer = new String(process.getInputStream().readNBytes(MAX_ANSWER), StandardCharsets.UTF_8);
            return read(answer, process.exitValue());
        } catch (IOException e) {
            return new Way(Way.Kind.UNKNOWN, "'ip route get' can not be read: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Way(Way.Kind.UNKNOWN, "interrupted");
        }
    }

    /** Reads what the program wrote, {@code 10.0.0.9 from 10.0.0.1 dev eth0 uid 0}, given its exit code. */
    static Way read(String answer, int exit) {
        String[] words = answer.strip().split("\\s+");
        for (int i = 0; i + 1 < words.length; i++) {
            if (words[i].equals("dev") && exit == 0) {
                return new Way(Way.Kind.DEVICE, words[i + 1]);
            }
        }
        String why = answer.lines().findFirst().orElse("").strip();
        return answer.contains("nreachable") || answer.contains("Invalid argument")
                ? new Way(Way.Kind.NONE, why)
                : new Way(Way.Kind.UNKNOWN, "'ip route get' says '" + why + "'");
    }
}
