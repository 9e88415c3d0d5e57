package org.railyard.node.facts;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.railyard.doctor.HostFacts.Call;
import org.railyard.doctor.HostFacts.Contact;
import org.railyard.doctor.HostFacts.Dial;
import org.railyard.doctor.HostFacts.Presence;

/**
 * Looks whether a machine is there, by a datagram to a port where nobody listens and by the kernel's table of
 * neighbours, and whether a TCP port of it can be connected to. A connection is closed without a byte. IPv4 only:
 * kernel nodes take connections over IPv6 from privileged ports only.
 */
final class HostProbe {
    /** As traceroute does: a port that nobody uses. */
    private static final int PORT = 33_434;

    private static final int DIAL_MILLIS = 2000;
    private static final int TRIES = 16;
    private static final long WAIT_MILLIS = 300;
    private static final int LIMIT_SECONDS = 3;
    private static final int MAX_ANSWER = 4096;

    private HostProbe() {}

    /** Makes a call; takes at most some seven seconds. */
    static Contact make(Call call) {
        Presence presence = presence(call.from(), call.to());
        Dial dial = call.port() == 0 || presence == Presence.ABSENT ? Dial.UNKNOWN : dial(call);
        return new Contact(presence, dial);
    }

    /** The table of neighbours is sure after some seconds: what it knows of old, it asks again first. */
    private static Presence presence(InetAddress from, InetAddress to) {
        try (DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET)) {
            channel.bind(new InetSocketAddress(from, 0));
            channel.connect(new InetSocketAddress(to, PORT));
            channel.configureBlocking(false);
            for (int i = 0; i < TRIES; i++) {
                channel.write(ByteBuffer.allocate(1));
                TimeUnit.MILLISECONDS.sleep(WAIT_MILLIS);
                if (channel.read(ByteBuffer.allocate(1)) > 0) {
                    return Presence.HERE;
                }
                Presence known = read(neighbour(to));
                if (known == Presence.HERE || (known == Presence.ABSENT && i > 2)) {
                    return known;
                }
            }
        } catch (PortUnreachableException e) {
            return Presence.HERE;
        } catch (IOException e) {
            // No way there, or the kernel has found nobody: its table tells which.
            return read(neighbour(to));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Presence.UNKNOWN;
    }

    private static String neighbour(InetAddress to) {
        ProcessBuilder command = new ProcessBuilder(List.of("ip", "neigh", "show", "to", to.getHostAddress()));
        command.redirectErrorStream(true);
        try {
            Process process = command.start();
            process.getOutputStream().close();
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return "";
            }
            return new String(process.getInputStream().readNBytes(MAX_ANSWER), StandardCharsets.UTF_8);
        } catch (IOException e) {
            // Without the program nothing is known.
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    /** Reads the kernel's entry for a neighbour; what it does not know for sure counts as unknown. */
    static Presence read(String entry) {
        String text = entry.strip();
        if (text.endsWith("REACHABLE")) {
            return Presence.HERE;
        }
        return text.endsWith("FAILED") || text.endsWith("INCOMPLETE") ? Presence.ABSENT : Presence.UNKNOWN;
    }

    private static Dial dial(Call call) {
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(call.from(), 0));
            socket.connect(new InetSocketAddress(call.to(), call.port()), DIAL_MILLIS);
            return Dial.ACCEPTED;
        } catch (SocketTimeoutException e) {
            return Dial.SILENT;
        } catch (NoRouteToHostException e) {
            return Dial.PROHIBITED;
        } catch (ConnectException e) {
            return String.valueOf(e.getMessage()).contains("refused") ? Dial.REFUSED : Dial.PROHIBITED;
        } catch (IOException e) {
            return Dial.UNKNOWN;
        }
    }
}
