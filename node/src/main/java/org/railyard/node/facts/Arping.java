package org.railyard.node.facts;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.railyard.doctor.HostFacts.Holder;
import org.railyard.doctor.HostFacts.Way.Kind;

/** Asks by ARP who else has an address of this machine, with the program {@code arping} of iputils (RFC 5227). */
final class Arping {
    private static final Pattern REPLY = Pattern.compile("reply from \\S+ \\[([0-9A-Fa-f:]{17})]");
    private static final int LIMIT_SECONDS = 5;
    private static final int MAX_ANSWER = 4096;

    private Arping() {}

    static Holder ask(String device, InetAddress ip) {
        ProcessBuilder command =
                new ProcessBuilder(List.of("arping", "-D", "-c", "2", "-w", "2", "-I", device, ip.getHostAddress()));
        try {
            Process process = command.redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readNBytes(MAX_ANSWER), StandardCharsets.UTF_8);
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return new Holder(Kind.UNKNOWN, "because arping does not end");
            }
            return read(said, process.exitValue());
        } catch (IOException e) {
            return new Holder(Kind.UNKNOWN, "because the program arping is not installed (package iputils-arping)");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Holder(Kind.UNKNOWN, "because it was interrupted");
        }
    }

    /** Reads what arping says; its exit code is 0 if nobody has answered. */
    static Holder read(String said, int exit) {
        Matcher reply = REPLY.matcher(said);
        if (reply.find()) {
            return new Holder(Kind.DEVICE, reply.group(1));
        }
        // Another program of the same name does not ask from nowhere, and means something else by its exit code.
        return exit == 0 && said.contains(" from 0.0.0.0 ")
                ? new Holder(Kind.NONE, "")
                : new Holder(
                        Kind.UNKNOWN,
                        "because arping of iputils failed: " + said.strip().replaceAll("\\s+", " "));
    }
}
